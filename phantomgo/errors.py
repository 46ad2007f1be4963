"""The errors of the game and its files; those of players and engines are where they are raised.

A refused attempt is an answer (`phantomgo.game.messages.Refused`), not an error. Every message
names the value and what was allowed.
"""

from typing import Any, Final

LONGEST: Final = 1000
"""Characters of an error message, which may quote what others wrote."""


class PhantomGoError(Exception):
    """Base of every error that is not a bug of ours."""

    def __str__(self) -> str:
        text, half = super().__str__(), LONGEST // 2
        return text if len(text) <= LONGEST else f"{text[:half]} ... {text[-half:]}"


class BadText(PhantomGoError, ValueError):
    """A text cannot be read; the message names it and what was expected."""


class BadBook(BadText):
    """A book cannot be used; the message names the book and the field."""


class BadNet(BadText):
    """A net cannot be used; the message names the net and the field."""


class BadRules(PhantomGoError, ValueError):
    """A rules key or value is not allowed; the message names the allowed ones."""


class BadMessage(PhantomGoError, ValueError):
    """A referee's message contradicts what the player already knows."""


class BadStore(PhantomGoError, ValueError):
    """A store of games cannot be used; the message names the file and what it was made for."""


class BadRecord(PhantomGoError, ValueError):
    """A record is readable but inconsistent; the message names the attempt and the error."""


class GameOver(PhantomGoError):
    """An attempt was made after the end of the game."""


class MissingExtra(PhantomGoError):
    """A feature needs a package that comes with an extra and is not installed."""

    def __init__(self, asked: str, package: str, extra: str) -> None:
        """Args: what was asked for; the package as it is published; our extra that has it."""
        in_checkout = f"'.[{extra}]' in a checkout"
        super().__init__(f"{asked} needs {package}: pip install {package}, or {in_checkout}")


class Abandoned(KeyboardInterrupt):
    """A second Ctrl-C: the process ends now, without waiting for the work in progress."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, after the work in progress has been saved.

    Attributes:
        partial: the result so far, of the type that would have been returned; or None.
        saved: whether the same call continues from there.
    """

    def __init__(self, partial: Any, *, saved: bool) -> None:
        super().__init__()
        self.partial, self.saved = partial, saved
