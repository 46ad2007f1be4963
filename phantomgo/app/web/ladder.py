"""The ratings of names: computed from the games that have ended, and kept nowhere else.

Whoever plays under a name has its rating, as at a club's board: names are not protected. Levels are
rungs whose ratings do not move. A rating period is a day, counted from 1970.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from bots.naming import LEVELS
from gtp.handicap import most
from phantomgo.app.table.players import HUMAN
from phantomgo.app.web.journal import Journal
from phantomgo.app.web.terms import POINTS, SWAPPED, Terms, called
from phantomgo.match.glicko import Rating
from phantomgo.points import BLACK, Colour

RUNGS: Final = {
    LEVELS[level]: Rating(value, 50.0)
    for level, value in (
        ("novice", 800.0),
        ("easy", 1180.0),
        ("medium", 1730.0),
        ("skilled", 2150.0),
        ("hard", 2660.0),
        ("expert", 2900.0),
    )
}
"""The ratings of levels by spec: differences measured on 9x9 (docs/notes/ladder.md)."""
STONE: Final = 90.0
"""Rating points that a handicap stone is worth on 9x9 (the same note)."""
EVEN_KOMI: Final = 0.5
"""The komi of games with handicap; without stones, that is the smallest handicap."""
Player: TypeAlias = tuple[str, str]
"""A spec and, of a person, their name as it is compared."""
DAY: Final = 86_400.0
LONGEST: Final = 10_000
"""Days of inactivity after which a rating is as uncertain as at first."""
AT_ONCE: Final = 2000
"""Games that are read at a time."""


class Standing(NamedTuple):
    """A line of the list.

    Attributes:
        name: as it was written last.
        rating: of today.
        games: how many it comes from; 0 for a level.
    """

    name: str
    rating: Rating
    games: int


class Ladder:
    """The ratings of a server, from the games in its journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._names: dict[Player, str] = {}
        self._counts: Counter[Player] = Counter()
        self._morning: dict[Player, Rating] = {}  # the ratings when the day began
        self._today: dict[Player, list[tuple[Rating, float]]] = defaultdict(list)
        self._day = 0
        self._last = (0.0, 0)

    def look(self) -> None:
        """Read the games that have ended since the last time, and let days pass."""
        rows = self._journal.rated(*self._last, AT_ONCE)
        for number, when, terms, result in rows:
            self._last = when, number
            self._pass_days(when)
            self._count(terms, self._journal.seated(number), result)
        if len(rows) < AT_ONCE:
            self._pass_days(self._journal.now())

    def _pass_days(self, when: float) -> None:
        day = int(when // DAY)
        if day <= self._day:
            return
        idle = min(day - self._day - 1, LONGEST) if self._day else 0
        for player in self._morning:
            rating = self._now(player)
            for _ in range(idle):
                rating = rating.after([])
            self._morning[player] = rating
        self._today.clear()
        self._day = day

    def _now(self, player: Player) -> Rating:
        """A person's rating by the games until now."""
        return self._morning.get(player, Rating()).after(self._today.get(player, []))

    def _count(self, terms: Terms, seated: Mapping[Colour, str], result: str) -> None:
        """Count a result, if both sides are rated and not the same player."""
        points = POINTS.get(result[:1])
        names = [seated.get(colour) or name_at(terms, colour) for colour in Colour]
        sides = [player_of(terms.spec(c), name) for c, name in zip(Colour, names, strict=True)]
        if points is None or None in sides or sides[0] == sides[1]:
            return
        players = [side for side in sides if side is not None]
        black, white = (self._before(player) for player in players)
        stones = worth(terms)
        against = (
            white._replace(value=white.value - stones),
            black._replace(value=black.value + stones),
        )
        for player, name, opponent, own in zip(players, names, against, points, strict=True):
            if player[0] == HUMAN:
                self._names[player] = name
                self._counts[player] += 1
                self._morning.setdefault(player, Rating())
                self._today[player].append((opponent, own))

    def _before(self, player: Player) -> Rating:
        return RUNGS.get(player[0]) or self._morning.get(player, Rating())

    # What is known

    def rating(self, spec: str, name: str) -> Rating:
        """Return the rating of a bot of this spec, or of a person of this name."""
        return RUNGS.get(spec) or self._now((spec, name.casefold()))

    def standings(self) -> list[Standing]:
        """Return everybody's rating and those of the levels, the strongest first."""
        levels = (Standing(called(name, spec), RUNGS[spec], 0) for name, spec in LEVELS.items())
        people = (
            Standing(self._names[player], self._now(player), self._counts[player])
            for player in self._morning
        )
        return sorted((*levels, *people), key=lambda one: (-one.rating.value, one.name))

    def even(self, terms: Terms, role: str) -> tuple[Terms, str]:
        """Return the terms with a handicap that makes the game even: the weaker one has Black.

        Beside them the role, `black` or `white`, which may have changed.
        """
        self.look()
        black, white = (self.rating(terms.spec(c), name_at(terms, c)).value for c in Colour)
        if black > white:
            terms, role = terms.swapped(), SWAPPED[role]
        stones = round(abs(white - black) / of_stone(terms.size))
        handicap = min(stones, most(terms.size)) if stones > 1 else 0
        return replace(terms, handicap=handicap, komi=EVEN_KOMI if stones else terms.komi), role


def player_of(spec: str, name: str) -> Player | None:
    """Return who is rated at a seat: a level, or a person with a name; nobody else is."""
    if spec == HUMAN:
        return (spec, name.casefold()) if name else None
    return (spec, "") if spec in RUNGS else None


def name_at(terms: Terms, colour: Colour) -> str:
    """Return the name that a table was laid for."""
    return terms.black_name if colour is BLACK else terms.white_name


def of_stone(size: int) -> float:
    """Return the rating points of a handicap stone: the fewer points, the more it is worth."""
    return STONE * 81 / size**2


def worth(terms: Terms) -> float:
    """Return the rating points of Black's handicap."""
    return of_stone(terms.size) * (terms.handicap or float(terms.komi <= EVEN_KOMI))
