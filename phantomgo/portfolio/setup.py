"""What seeds are learned for: two players and the rules they play by."""

from dataclasses import dataclass
from typing import Any, Final, Self

from phantomgo.errors import BadRules
from phantomgo.fields import Fields
from phantomgo.identity import Identity
from phantomgo.points import MAX_SIZE, MIN_SIZE
from phantomgo.rules import PROFILES, Rules

MAX_KOMI: Final = 1000


@dataclass(frozen=True, slots=True)
class Setup:
    """What decides the result of a game between two seeds.

    Attributes:
        black: who plays Black.
        white: who plays White.
        profile: the name of the rules profile.
        rules: the rules of every game, those of the profile.
    """

    black: Identity
    white: Identity
    profile: str
    rules: Rules

    @property
    def title(self) -> str:
        """It on one line: `5x5, flatmc:playouts=200, komi 2.5, olympiad`."""
        bots = [self.black.name, self.white.name]
        names = bots[0] if bots[0] == bots[1] else " against ".join(bots)
        rules = self.rules
        return f"{rules.size}x{rules.size}, {names}, komi {rules.komi:g}, {self.profile}"

    def as_dict(self) -> dict[str, Any]:
        """The fields of a book or matrix that say what it is for."""
        return {
            "size": self.rules.size,
            "komi": self.rules.komi,
            "rules": self.profile,
            "players": {"black": self.black.as_dict(), "white": self.white.as_dict()},
        }

    @classmethod
    def read(cls, top: Fields) -> Self:
        """Take these fields out of a book or matrix.

        Raises:
            PhantomGoError: of the kind that is read; the message names the field that is wrong.
        """
        size, komi = top.whole("size", MIN_SIZE, MAX_SIZE), top.number("komi", -MAX_KOMI, MAX_KOMI)
        profile = top.choice("rules", PROFILES)
        players = top.object("players")
        black, white = (Identity.read(players.object(colour)) for colour in ("black", "white"))
        players.finish()
        try:
            rules = Rules.profile(profile, size=size, komi=komi)
        except BadRules as error:
            raise top.wrong("komi", str(error)) from error
        return cls(black, white, profile, rules)
