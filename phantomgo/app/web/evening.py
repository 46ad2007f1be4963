"""An evening: who takes part, who plays whom at which table, and the results.

It is its terms and a list of events that the journal keeps, as a table is:

    {"joins": "Ann"}                            the next player; of a bot, with "bot": SPEC
    {"leaves": 3}, {"returns": 3}               a player leaves the pairings, or returns
    {"ready": 3}                                they want a game, in an evening without rounds
    {"games": [[TABLE, 3, 4], ...], "rest": [5]}    a round: Black and White of each table
    {"corrects": TABLE, "black": 1, "white": 0}     the points of a game, by the organiser
    {"link": "player-3"}                        a new link for this role; older ones are void

Results are not events: they are read from the tables.
"""

import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, NamedTuple

from phantomgo.app.table.players import HUMAN
from phantomgo.app.web.journal import Event, Journal
from phantomgo.app.web.state import path
from phantomgo.app.web.terms import POINTS, Form, Terms, called, from_form, name, shown_name
from phantomgo.errors import BadText
from phantomgo.match.pairing import Pairing, Round, round_robin, swiss
from phantomgo.match.result import MatchGame
from phantomgo.match.standings import Played, Standing, standings
from phantomgo.phrase import Phrase
from phantomgo.rng import MAX_SEED

PAIRINGS: Final = {
    "swiss": Phrase("Swiss: players of similar points meet, nobody twice"),
    "round robin": Phrase("round robin: everybody meets everybody"),
    "free": Phrase("whoever is free: two who are ready play"),
}
"""The ways to pair players, and their labels."""
BYE: Final = "bye"
"""The value of the form's field `odd` for a bye instead of a game against a bot."""
MOST: Final = 64
"""The most players at a time."""
JOINS: Final = 256
"""The most players in all, including those who left."""
GAMES: Final = 2000
"""The most games of an evening."""
REST: Final = 60.0
"""Seconds after a game for which others wait for its players, in an evening without rounds."""
ROLES: Final = ("organiser", "join", "projector")
"""Roles beside those of players, `player-N`, and of their new links, `again-N`."""


class Seating(NamedTuple):
    """A game of the evening.

    Attributes:
        table: the number of its table on the server.
        black: the number of the player.
        white: the number of the player.
        round: from 1.
        place: the number by which people know the table, from 1.
    """

    table: int
    black: int
    white: int
    round: int
    place: int

    def opponent(self, player: int) -> int:
        return self.white if player == self.black else self.black


@dataclass
class Player:
    """Somebody who takes part.

    Attributes:
        name: as it is shown.
        bot: its spec; empty for a person.
        here: they are to be paired.
        ready: they want a game, in an evening without rounds.
    """

    name: str
    bot: str = ""
    here: bool = True
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Programme:
    """The terms of an evening.

    Attributes:
        table: the terms of every table.
        pairing: a key of `PAIRINGS`.
        bot: the name of the bot that plays where the number is odd; empty for a bye.
        spec: of this bot.
        even: games get the handicap that ratings propose.
    """

    table: Terms
    pairing: str = "swiss"
    bot: str = ""
    spec: str = ""
    even: bool = False

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> "Programme":
        return cls(**{**found, "table": Terms(**found["table"])})


def programme(form: Form, levels: Mapping[str, str]) -> Programme:
    """Return the terms that a form asks for.

    Raises:
        BadText: a field has no such value.
    """
    pairing, odd = form.get("pairing", "swiss"), form.get("odd", BYE)
    if pairing not in PAIRINGS:
        raise BadText(f"pairing {pairing[:20]!r} is not one of {', '.join(PAIRINGS)}")
    if odd not in (known := (BYE, *levels)):
        raise BadText(f"odd {odd[:20]!r} is not one of {', '.join(known)}")
    table, _ = from_form({**form, "opponent": "referee", "name": ""}, levels)
    found = Programme(table, pairing, even="even" in form)
    if odd == BYE or pairing == "free":
        return found
    return replace(found, bot=called(odd, levels[odd]), spec=levels[odd])


@dataclass(eq=False)
class Evening:
    """An evening as its events have left it.

    Attributes:
        number: among the tables and evenings of the server.
        journal: keeps it.
        programme: its terms.
        players: by number.
        rounds: the games of each.
        rests: who had a bye in each round.
        corrected: points that the organiser gave, by table.
        generations: how many new links each role has had.
        renewed: players whose links were made void, until they take their new ones.
        count: of its events.
        added: how many additions the journal had after the last event.
        recorded: games that are over, as those of a match, by table.
    """

    number: int
    journal: Journal
    programme: Programme
    players: list[Player] = field(default_factory=list)
    rounds: list[list[Seating]] = field(default_factory=list)
    rests: list[list[int]] = field(default_factory=list)
    corrected: dict[int, tuple[float, float]] = field(default_factory=dict)
    generations: dict[str, int] = field(default_factory=dict)
    renewed: set[int] = field(default_factory=set)
    count: int = 0
    added: int = 0
    recorded: dict[int, MatchGame] = field(default_factory=dict)
    _results: dict[int, str] = field(default_factory=dict)
    _noticed: dict[int, float] = field(default_factory=dict)

    def happen(self, event: Event) -> None:
        """Hand an event to the journal, and apply it."""
        self.journal.add(self.number, self.count, [event])
        self.added = self.journal.added
        self.apply(event)

    def apply(self, event: Event) -> None:
        """Change the evening by an event."""
        self.count += 1
        match event:
            case {"joins": called}:
                self.players.append(Player(shown_name(called), event.get("bot", "")))
            case {"leaves": number}:
                self.players[number].here = self.players[number].ready = False
            case {"returns": number}:
                self.players[number].here = True
            case {"ready": number}:
                self.players[number].ready = True
            case {"games": games, "rest": rest}:
                self._begin_round(games, rest)
            case {"corrects": table, "black": black, "white": white}:
                self.corrected[table] = (black, white)
            case {"link": role}:
                self.generations[role] = self.generations.get(role, 0) + 1
                self._note_renewal(role)

    def _note_renewal(self, role: str) -> None:
        number = self.player_of(role)
        if number is not None and role.startswith("player"):
            self.renewed.add(number)
        elif number is not None:
            self.renewed.discard(number)

    def _begin_round(self, games: list[list[int]], rest: list[int]) -> None:
        number = len(self.rounds) + 1
        first = number if self.free else 1
        self.rounds.append(
            [Seating(t, b, w, number, place) for place, (t, b, w) in enumerate(games, first)]
        )
        self.rests.append(rest)
        for _, black, white in games:
            self.players[black].ready = self.players[white].ready = False

    # Links

    def link(self, role: str) -> str:
        """The path of a role, by its latest link."""
        made = self.generations.get(role, 0)
        return path(self.journal.key, self.number, role, made, "evening")

    def player_of(self, role: str) -> int | None:
        """The number of the player of `player-N` or `again-N`; None for other roles."""
        kind, _, text = role.partition("-")
        person = kind in ("player", "again") and text.isascii() and text.isdecimal()
        number = int(text) if person and len(text) < 4 else -1
        return number if number in self.people else None

    # Players

    @property
    def free(self) -> bool:
        """Return whether there are no rounds: any two players who are ready play."""
        return self.programme.pairing == "free"

    @property
    def people(self) -> list[int]:
        return [number for number, player in enumerate(self.players) if not player.bot]

    @property
    def has_plan(self) -> bool:
        """Return whether all rounds are known from the first: a round robin."""
        return self.programme.pairing == "round robin"

    @property
    def bot(self) -> int | None:
        """The number of the bot for an odd number of players, if one plays."""
        return next((n for n, player in enumerate(self.players) if player.bot), None)

    @property
    def closed(self) -> str:
        """The reason why nobody may join; empty if they may."""
        if self.has_plan and self.rounds:
            return Phrase("The round robin has begun, so nobody can join it.")
        here = sum(player.here for player in self.players)
        full = here >= MOST or len(self.players) >= JOINS
        return Phrase("The evening is full.") if full else ""

    def new_name(self, form: Form) -> str:
        """Return the name of somebody who joins.

        Raises:
            BadText: nobody may join, or the name is missing or taken.
        """
        if self.closed:
            raise BadText(self.closed)
        wanted = name(form)
        if not wanted:
            raise BadText(Phrase("a player needs a name"))
        if wanted.casefold() in {player.name.casefold() for player in self.players}:
            raise BadText(
                Phrase("there is a player {name} already: choose another name", name=wanted)
            )
        return wanted

    # Games and results

    @property
    def games(self) -> Iterator[Seating]:
        for games in self.rounds:
            yield from games

    def games_of(self, player: int) -> list[Seating]:
        return [game for game in self.games if player in (game.black, game.white)]

    def result(self, seating: Seating) -> str:
        """The result of the table itself, as `B+2.5`; empty while the game is not over."""
        return self._results.get(seating.table, "")

    def points(self, seating: Seating) -> tuple[float, float] | None:
        """The points of Black and White; None while there are none."""
        found = self.corrected.get(seating.table)
        return found or POINTS.get(self.result(seating)[:1])

    def is_over(self, seating: Seating) -> bool:
        """True if players need not come back to this table. A void game has to be corrected."""
        return self.points(seating) is not None

    def look(self) -> None:
        """Read the results of games that have ended since the last time."""
        open_games = [game.table for game in self.games if game.table not in self._results]
        if open_games:
            found = self.journal.results(open_games)
            self._results |= found
            self._noticed |= dict.fromkeys(found, self.journal.now())

    def seat(self, player: int) -> Seating | None:
        """The game that a player is in now."""
        games = reversed(self.games_of(player))
        return next((game for game in games if not self.is_over(game)), None)

    def latest(self, player: int) -> Seating | None:
        """The last game of a player."""
        return next(reversed(self.games_of(player)), None)

    @property
    def waits_for(self) -> list[Seating]:
        """The games that are not over."""
        return [game for game in self.games if not self.is_over(game)]

    @property
    def rested(self) -> list[int]:
        """Everybody who had a bye, once for each."""
        return [player for rest in self.rests for player in rest]

    def standings(self) -> list[Standing]:
        played = [
            Played(game.black, game.white, *points)
            for game in self.games
            if (points := self.points(game)) is not None
        ]
        return standings(range(len(self.players)), played, self.rested)

    # The next round

    def next_round(self) -> Round:
        """Pair those who are to play; the one left over is to have a bye, or to play the bot."""
        waiting = [n for n in self.people if self.players[n].here and self.seat(n) is None]
        played = [Pairing(game.black, game.white) for game in self.games]
        if self.has_plan:
            return self._next_of_all()
        if self.free:
            return self._next_of_ready([n for n in waiting if self.players[n].ready], played)
        bot = self.bot
        bots = [] if bot is None else [game.opponent(bot) for game in self.games_of(bot)]
        points = {row.player: row.points for row in self.standings()}
        seed = secrets.randbelow(MAX_SEED + 1)
        return swiss(waiting, played, [*self.rested, *bots], points, seed)

    def _next_of_ready(self, ready: list[int], played: list[Pairing]) -> Round:
        """The games that can begin now, in an evening without rounds.

        Two who have met wait for others whom one of them has met less often, as long as those play
        or have just played.
        """
        found, met = swiss(ready, played), Counter(frozenset(game) for game in played)
        busy = [n for n in self.people if self.players[n].here and self._may_come(n)]

        def is_due(game: Pairing) -> bool:
            times = met[frozenset(game)]
            return all(met[frozenset((one, other))] >= times for one in game for other in busy)

        return Round(tuple(filter(is_due, found.games)), found.odd)

    def _may_come(self, player: int) -> bool:
        """Return whether a player is likely to be ready soon."""
        game = self.latest(player)
        ended = None if game is None else self._noticed.get(game.table)
        resting = ended is not None and self.journal.now() < ended + REST
        return self.seat(player) is not None or (resting and not self.players[player].ready)

    def _next_of_all(self) -> Round:
        """The next round of everybody who was there for the first one."""
        if not self.rounds:
            return round_robin([n for n in self.people if self.players[n].here], 0)
        first = {n for game in self.rounds[0] for n in (game.black, game.white)}
        everybody = sorted(first.difference({self.bot}).union(self.rests[0]))
        return round_robin(everybody, len(self.rounds))

    def seated(self, found: Round) -> tuple[list[Pairing], list[int]]:
        """The games and the byes of a round, with those who have left, and with the bot."""
        games, rest = [], [] if found.odd is None else [found.odd]
        for game in found.games:
            here = [player for player in game if self.players[player].here]
            if len(here) == 2:
                games.append(game)
            else:
                rest += here
        rest = [player for player in rest if self.players[player].here]
        if self.bot is not None and rest:
            games.append(self._against_bot(self.bot, rest.pop()))
        return games, rest

    def _against_bot(self, bot: int, player: int) -> Pairing:
        """The player's colour is the one they have had less often."""
        own = self.games_of(player)
        blacks = sum(game.black == player for game in own)
        return Pairing(player, bot) if 2 * blacks <= len(own) else Pairing(bot, player)

    def terms_of(self, game: Pairing) -> Terms:
        """The terms of the table of a game."""
        black, white = (self.players[number] for number in game)
        homes = [
            "" if self.players[number].bot else self.link(f"player-{number}") for number in game
        ]
        return replace(
            self.programme.table,
            black=black.bot or HUMAN,
            white=white.bot or HUMAN,
            seed=secrets.randbelow(MAX_SEED + 1),
            black_name=black.name,
            white_name=white.name,
            black_home=homes[0],
            white_home=homes[1],
        )
