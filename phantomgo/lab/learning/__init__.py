"""Learn books from games between seeds, and check whether they are still valid."""
