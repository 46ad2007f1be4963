"""Learning a policy of views from games against itself.

Only what needs PyTorch belongs here; bots/policy.py plays a policy without it.
"""
