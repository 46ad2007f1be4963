"""Games between the seeds of bots, and their results as matrices."""
