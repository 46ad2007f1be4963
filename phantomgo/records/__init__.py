"""Games as they are kept: a value, JSON, and SGF."""
