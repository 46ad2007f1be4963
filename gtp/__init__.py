"""The wire: the Go Text Protocol and its phantom commands. The reference is gtp/README.md.

Hosts, seats and rulers answer commands here, and other programs are driven from here. Which bots
and books there are, and who may be seated, is decided above, by phantomgo/lab and phantomgo/app.
"""
