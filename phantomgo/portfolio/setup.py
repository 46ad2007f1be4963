"""Setups: two players and the game of Phantom Go whose seeds are learned."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from phantomgo.errors import BadBook, BadRules
from phantomgo.fields import Fields
from phantomgo.game.beginning import START, Beginning, Game
from phantomgo.game.points import BLACK, MAX_SIZE, MIN_SIZE, Colour
from phantomgo.game.rules import MAX_KOMI, PROFILES, Rules
from phantomgo.game.symmetry import Symmetry, map_move, symmetries_of
from phantomgo.identity import Identity


@dataclass(frozen=True, slots=True)
class Setup:
    """The players, rules and beginning of a game of Phantom Go between two seeds.

    Attributes:
        black: the player of Black, who begins.
        white: the player of White.
        profile: the name of the rules profile.
        rules: the rules of every game, those of the profile.
        beginning: how every game begins.
    """

    black: Identity
    white: Identity
    profile: str
    rules: Rules
    beginning: Beginning = START

    def spec(self, colour: Colour) -> str:
        """The spec of the player of a colour."""
        return (self.black if colour is BLACK else self.white).name

    @property
    def players(self) -> list[tuple[str, Identity]]:
        """Both players, each after its role."""
        return [("Black's bot", self.black), ("White's bot", self.white)]

    @property
    def names(self) -> str:
        black, white = self.black.name, self.white.name
        return black if black == white else f"{black} against {white}"

    @property
    def symmetries(self) -> Sequence[Symmetry]:
        """The symmetries under which a book is played: those that keep the initial position."""
        handicap, attempts = self.beginning
        size = self.rules.size
        return [
            symmetry
            for symmetry in symmetries_of(handicap, size)
            if all(map_move(symmetry, move, size) == move for _, move in attempts)
        ]

    @property
    def title(self) -> str:
        """The setup on one line: `5x5, flatmc:playouts=200, komi 2.5, olympiad`."""
        return f"{self._board}, {self.names}, {self._rules}"

    @property
    def game(self) -> Game:
        """The rules and the beginning of every game of the setup."""
        return Game(self.rules, self.beginning)

    @property
    def words(self) -> str:
        """The game in words."""
        return f"{self._board}, {self._rules}"

    @property
    def _board(self) -> str:
        return f"{self.rules.size}x{self.rules.size}"

    @property
    def _rules(self) -> str:
        beginning = self.beginning.text(self.rules.size)
        return ", ".join(filter(None, (f"komi {self.rules.komi:g}", self.profile, beginning)))

    @property
    def terms(self) -> dict[str, object]:
        """The game as a part of a contest's terms (phantomgo/lab/run/contest.py)."""
        return {
            "profile": self.profile,
            **self.rules.as_dict(),
            **self.beginning.as_dict(self.rules.size),
        }

    def check_size(self, text: str, size: int) -> None:
        """Check that the bot of the spec `text` may play on a board of this size."""
        meant = self.rules.size
        if size != meant:
            raise BadBook(f"{text} is for {meant}x{meant}, not {size}x{size}")

    def as_dict(self) -> dict[str, Any]:
        """The fields of a book or matrix that say what it is for."""
        return {
            "size": self.rules.size,
            "komi": self.rules.komi,
            "rules": self.profile,
            **self.beginning.as_dict(self.rules.size),
            "players": {"black": self.black.as_dict(), "white": self.white.as_dict()},
        }


def read_setup(top: Fields) -> Setup:
    """Take these fields out of a book or matrix."""
    size, komi = top.whole("size", MIN_SIZE, MAX_SIZE), top.number("komi", -MAX_KOMI, MAX_KOMI)
    profile = top.choice("rules", PROFILES)
    black, white = _players(top)
    try:
        rules = Rules.profile(profile, size=size, komi=komi)
    except BadRules as error:
        raise top.wrong("komi", str(error)) from error
    return Setup(black, white, profile, rules, Beginning.read(top, size))


def _players(top: Fields) -> tuple[Identity, Identity]:
    players = top.object("players")
    black, white = (Identity.read(players.object(colour)) for colour in ("black", "white"))
    players.finish()
    return black, white
