"""Teaching: recorded games become lessons, and these nets.

How a net is read and run belongs to bots/; only training it belongs here.
"""
