"""The wire: the Go Text Protocol and its phantom commands. The reference is gtp/README.md."""
