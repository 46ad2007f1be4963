"""Lessons: what a player saw, labelled by a full-information search.

`phantomgo train lessons` plays games as a match does. A lesson pairs the first round of `phantom`'s
search at an attempt (`first`) with what the same search finds on the true board (`told`). The judge
(bots/judge.py) learns to predict the second from the first.

The share of wins in so few playouts is mostly noise. All-moves-as-first values of the same playouts
are mixed in, and take most of the noise away (docs/notes/judge.md).
"""

import base64
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from bots.belief import Belief, candidates, presume_refused, true_eyes
from bots.features import JUDGED
from bots.judge import sight
from bots.nets import NEWEST, Net, log_odds, read_net
from bots.phantom import Phantom
from bots.worlds import UNIFORM, Ints, Tally, Worlds, as_array
from phantomgo.errors import BadText
from phantomgo.identity import Identity
from phantomgo.lab.match import MatchPlan
from phantomgo.lab.players import Conditions
from phantomgo.lab.run.contest import Contest, Game, Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import Advance, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.teaching.positions import GamePositions, Positions, origin
from phantomgo.points import grid
from phantomgo.record import Record
from phantomgo.record_json import read_record
from phantomgo.referee import Referee
from phantomgo.rng import Stream, decision_key, mix
from phantomgo.rules import Reason, Rules
from phantomgo.view import View

OLYMPIAD: Final = "olympiad"
"""The rules of all games of lessons."""
LESSONS: Final = "lessons"
"""The kind of such a store, as its terms have it."""
FIRST: Final = (256, 512, 1024, 2048, 4096, 32768)
"""Playouts of a first round, drawn evenly: those of decisions of 1, 10 and 100 milliseconds."""
TOLD: Final = 2000
"""Playouts of the full-information search, dealt evenly."""
AMAF: Final = 200
"""The weight of all-moves-as-first in its values, in playouts."""
UNIT: Final = 10_000
"""Its values are in units of 1 / UNIT."""
NOT_LEGAL: Final = -1
NOT_ASKED: Final = -(1 << 15)


class Lessons(NamedTuple):
    """The lessons of one game, in order.

    Attributes:
        step: the number of the attempt, from 0; shape (lessons,).
        first: for each point of the board the playouts of the first round that began there, those
            won, and the same for all-moves-as-first; shape (lessons, 4, points).
        told: the value of each point on the true board in units of 1 / UNIT, NOT_LEGAL where the
            player may not play or would fill an eye of their own; shape (lessons, points).
    """

    step: NDArray[np.int16]
    first: NDArray[np.int32]
    told: NDArray[np.int16]

    @property
    def text(self) -> str:
        """The lessons as a store keeps them."""
        kept = io.BytesIO()
        np.savez_compressed(kept, **self._asdict())
        return base64.b64encode(kept.getvalue()).decode()

    @classmethod
    def read(cls, text: str) -> "Lessons":
        """The lessons in such a text.

        Raises:
            BadText: it holds no lessons.
        """
        try:
            with np.load(io.BytesIO(base64.b64decode(text, validate=True))) as kept:
                return cls(*(kept[name] for name in cls._fields))
        except (ValueError, KeyError, EOFError, OSError, BadZipFile) as error:
            raise BadText(f"not lessons: {error}") from error


@dataclass(frozen=True)
class LessonPlan(Contest[Game]):
    """The contest: the games of a match, whose results are their lessons.

    Attributes:
        match: the games.
        student: the search whose first round is recorded.
    """

    match: MatchPlan
    student: Phantom

    @classmethod
    def between(
        cls,
        specs: tuple[str, str],
        games: int,
        seed: int,
        rules: Rules,
        net: str = NEWEST,
    ) -> Self:
        """The lessons of games between two bots, by the olympiad's rules.

        Args:
            specs: the players.
            games: an even number.
            seed: the seed from which all others are derived.
            rules: those of the olympiad on some board.
            net: the net from whose odds the student's worlds are drawn.

        Raises:
            BadText: a spec is not one, or the games are not pairs.
            BadNet: there is no such net.
        """
        match = MatchPlan.of(specs, games, seed, Conditions(rules), OLYMPIAD)
        return cls(match, Phantom(0, net=net))

    @property
    def players(self) -> Sequence[Identity]:
        return self.match.players

    @property
    def terms(self) -> Mapping[str, object]:
        student = {"spec": self.student.name, **self.student.data()}
        playouts = {"first": [*FIRST], "told": TOLD}
        return {
            **self.match.terms, "game": LESSONS, "student": student, "playouts": playouts,
            "of": None,  # both players, as in stores of earlier versions
        }  # fmt: skip

    @property
    def engines(self) -> bool:
        return self.match.engines

    def play(self, games: Sequence[Game]) -> list[Result]:
        return [self._asked(result) for result in self.match.play(games)]

    def _asked(self, result: Result) -> Result:
        assert result.record is not None
        record = read_record(result.record)
        return result._replace(text=lessons(record, self.student).text)


def gather(
    plan: LessonPlan, store: Store, workers: Workers, progress: Progress, advance: Advance
) -> None:
    """Make the lessons that the store lacks.

    Raises:
        Stopped: the games cannot be finished.
        KeyboardInterrupt: Ctrl-C; what was being played has been saved.
    """
    advance(len(store.games()))
    games = (divmod(number, 2) for number in range(plan.match.schedule.total))
    run(Listed(games), plan, workers, store, progress=progress, advance=advance)


def lessons(record: Record, student: Phantom) -> Lessons:
    """The lessons of a game: one at each attempt that has at least two legal candidates.

    Args:
        record: the game.
        student: the search whose first round is recorded.
    """
    referee, points = record.begin(), record.rules.size**2
    steps, firsts, tolds = [], [], []
    told, of_turn = np.zeros(0, np.int16), (-1, -1)
    for number, step in enumerate(record.steps):
        view = referee.view(step.colour)
        turn = view.turn, view.opponent_turn
        if turn != of_turn:
            told, of_turn = told_values(referee, view), turn
        chosen = as_array(candidates(view), record.rules.size)
        if (told[chosen] != NOT_LEGAL).sum() >= 2:
            steps.append(number)
            firsts.append(first_round(view, chosen, student, record.black.seed or 0))
            tolds.append(told)
        referee.attempt(step.colour, step.move)
    return Lessons(
        np.array(steps, np.int16),
        np.array(firsts, np.int32).reshape(-1, 4, points),
        np.array(tolds, np.int16).reshape(-1, points),
    )


def positions(record: Record, made: Lessons, stones: Net | None) -> Positions:
    """The lessons of a game as training positions for the judge.

    The truth of a legal candidate is the difference between its value and the mean of all legal
    ones, in units of 1 / UNIT; NOT_ASKED at other points.
    """
    referee, size = record.begin(), record.rules.size
    seen: list[NDArray[np.uint8]] = []
    better = np.full((len(made.step), size * size), NOT_ASKED, np.int16)
    wanted = set(made.step.tolist())
    for number, step in enumerate(record.steps):
        if number in wanted:
            i, view = len(seen), referee.view(step.colour)
            first = made.first[i].astype(np.int64)
            points = np.flatnonzero(first[0])
            tally = Tally(len(points), size * size)
            tally.counts[:2] = first[:2, points]
            tally.amaf_counts[:] = first[2:]
            hidden = UNIFORM if stones is None else log_odds(view, stones)
            seen.append(sight(view, points, tally, hidden).reshape(-1, size, size).astype(np.uint8))
            legal = points[made.told[i, points] != NOT_LEGAL]
            values = made.told[i, legal]
            better[i, legal] = np.round(values - values.mean())
        referee.attempt(step.colour, step.move)
    planes = np.array(seen, np.uint8).reshape(-1, len(JUDGED), size, size)
    return Positions(planes, better.reshape(-1, size, size))


def lessons_in(path: str) -> Iterator[str]:
    """The lessons of every game in a store: the game's record, and its lessons on a second line.

    Raises:
        BadText: it is not a store of lessons.
    """
    with Store(path) as store:
        if store.terms.get("game") != LESSONS:
            raise BadText(f"{path} is a store of {store.terms.get('game')}, not of {LESSONS}")
        for game, record in store.records():
            yield f"{record}\n{store.get(game)}"


def positions_of(text: str, net: str = NEWEST) -> GamePositions:
    """The judge's training positions from one of `lessons_in`, and the game's description.

    Args:
        text: the game and its lessons.
        net: the net whose odds of hidden stones are among the judge's inputs.

    Raises:
        BadText: the text has no lessons.
        BadNet: there is no such net.
    """
    first, _, second = text.partition("\n")
    record = read_record(first)
    return origin(record), positions(record, Lessons.read(second), read_net(net))


def first_round(view: View, chosen: Ints, student: Phantom, seed: int) -> Ints:
    """`Lessons.first` for one view: playouts dealt evenly over the candidates."""
    key = decision_key(seed, view.colour, view.turn, view.refusals)
    room = FIRST[Stream(mix(key)).below(len(FIRST))]
    worlds = student.worlds_of(view, presume_refused(view))
    tally = Tally(len(chosen), worlds.points)
    playouts = len(chosen) * max(1, room // len(chosen))
    worlds.play_out(chosen, np.arange(len(chosen)), playouts, key, 0, tally)
    by_point = np.zeros((4, worlds.points), np.int64)
    by_point[:2, chosen] = tally.counts[:2]
    by_point[2:] = tally.amaf_counts
    return by_point


def told_values(referee: Referee, view: View) -> NDArray[np.int16]:
    """`Lessons.told` for one view."""
    board, size = referee.board, view.rules.size
    own, enemy = view.own, board.stones(view.colour.other)
    empty = grid(size).full & ~(own | enemy | true_eyes(own, enemy, size))
    points = as_array(empty, size)
    legal = [not isinstance(board.play(view.colour, int(p)), Reason) for p in points]
    points = points[np.array(legal, np.bool_)]
    told = np.full(size * size, NOT_LEGAL, np.int16)
    if not len(points):
        return told
    worlds = Worlds(Belief(own, enemy, open=0, hidden=0), view.rules, view.colour)
    tally = Tally(len(points), worlds.points)
    playouts = len(points) * max(1, TOLD // len(points))
    key = mix(decision_key(1, view.colour, view.turn, own % (1 << 61)))
    worlds.play_out(points, np.arange(len(points)), playouts, key, 0, tally)
    visits, wins, _ = tally.counts
    also, won = tally.amaf_counts[:, points]
    extra = np.where(also, AMAF, 0)
    values = (wins + extra * won / np.maximum(also, 1)) / (visits + extra)
    told[points] = np.round(UNIT * values)
    return told
