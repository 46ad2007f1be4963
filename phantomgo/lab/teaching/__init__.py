"""Teaching: recorded games become positions and lessons, and these become nets and curves.

How a net is read and run belongs to bots/; only training it belongs here.
"""
