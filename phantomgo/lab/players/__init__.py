"""Players of the laboratory: seating, identification, and the checks of their contract."""
