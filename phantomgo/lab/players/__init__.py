"""Players of the laboratory: seated, known again, and held to their contract."""
