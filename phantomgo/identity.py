"""The identity of a player: a bot's spec, its behaviour, and its learned data.

A spec doesn't identify a player, as the code behind it, nets and books change. An identity does. It
is recorded with everything learned or measured about a player, and games are only added to games of
the same identity.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from phantomgo.fields import Fields

DIGITS: Final = 8
"""Hexadecimal digits of a digest of games."""
MAX_GAMES: Final = 100
MAX_NAME: Final = 4000
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{16}")
_GAME: Final = re.compile(rf"[0-9a-f]{{{DIGITS}}}")


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a player.

    Attributes:
        name: the spec in its canonical form; of an engine, its command.
        fingerprint: a digest of attempts in a few fixed views, which is quickly computed
            (bots/fingerprint.py). None where there are no games.
        games: digests of games against itself: of an opening, then of the matrix of its first
            seeds, one for each shell (phantomgo/lab/players/identity.py). Empty for an engine, and
            for a bot that says it is not deterministic.
        data: the learned data it uses, each with its digest: a net, a book.
        own: a digest of the beginning of a game at the bot's own budget. None if the games cover
            that budget, and in identities from before it was recorded.
    """

    name: str
    fingerprint: str | None = None
    games: tuple[str, ...] = ()
    data: Mapping[str, str] = field(default_factory=dict)
    own: str | None = None

    @property
    def digest(self) -> str:
        """All of it in 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.as_dict()).encode()).hexdigest()[:16]

    def difference(self, now: "Identity") -> str | None:
        """The difference of `now` from this recorded player, as a sentence; None if they are equal.

        `net wide is 12ab34cd56ef7890, was 6f3c9d10aa218c4e`
        """
        changes: dict[str, tuple[str | None, str | None]] = {}
        changes["name"] = self.name, now.name
        changes["fingerprint"] = self.fingerprint, now.fingerprint
        for what in sorted({*self.data, *now.data}):
            changes[what] = (self.data.get(what, "missing"), now.data.get(what, "missing"))
        for number, games in enumerate(zip(self.games, now.games, strict=False)):
            changes[f"shell {number} of its games" if number else "its opening"] = games
        if self.own is not None:
            changes["a game at its own budget"] = self.own, now.own
        for what, (was, found) in changes.items():
            if was != found:
                return f"{what} is {found}, was {was}"
        if len(self.games) != len(now.games):
            return (
                f"{len(self.games)} digests of its games were recorded, and it takes"
                f" {len(now.games)} to recognise it; its games cannot be added to"
            )
        return None

    def as_dict(self) -> dict[str, Any]:
        """The attributes for JSON."""
        own = {} if self.own is None else {"own": self.own}
        return {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "games": list(self.games),
            "data": dict(sorted(self.data.items())),
            **own,
        }

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read what `as_dict` wrote."""
        name = fields.text("name", most=MAX_NAME)
        known = not fields.is_null("fingerprint")
        fingerprint = fields.text("fingerprint", _FINGERPRINT) if known else None
        games, data = read_games(fields), fields.texts("data")
        own = fields.text("own", _GAME) if fields.has("own") else None
        found = cls(name, fingerprint, games, data, own)
        fields.finish()
        return found


def read_games(fields: Fields) -> tuple[str, ...]:
    """The digests of games in the field `games`."""
    games = tuple(fields.any_texts("games", DIGITS))
    if len(games) > MAX_GAMES:
        raise fields.wrong("games", f"has {len(games)} entries, more than {MAX_GAMES}")
    for game in games:
        if not _GAME.fullmatch(game):
            raise fields.wrong("games", f"{game!r} is not {DIGITS} hexadecimal digits")
    return games
