"""The newest nets, by which `champion` plays where no book fits, and from which learning begins."""

from typing import Final

NET: Final = "stones3"
"""Where hidden stones stand."""
JUDGE: Final = "judge2"
"""How good candidates are."""
TRUST: Final = 300
"""What its word weighs."""
SPEC: Final = f"phantom:net={NET},judge={JUDGE},trust={TRUST}"
"""Who plays by them."""
