"""Learning a policy of views from games against itself.

What belongs here: what needs PyTorch. What does not: the policy as a player (bots/policy.py).
"""
