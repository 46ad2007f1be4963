"""The top: commands, terminals, files, processes."""
