"""Books learned from games between seeds, and whether they still hold."""
