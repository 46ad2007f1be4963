"""Teaching: recorded games become lessons, and these nets and curves; outcomes move weights.

How a net is read and run belongs to bots/; only training it belongs here.
"""
