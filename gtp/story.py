"""What passed between a controller and the host in a game, so that it can be told again.

GUIs take moves back by `clear_board` and the moves before. Such a controller tells the game again,
from the first move, and goes on with it; what it was told by then stays told. A story holds
nothing but the controller's own lines and what they were answered: the vertices of its attempts,
whether they stood, and `pass` for a hidden bot's moves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple, Self

from phantomgo.points import BLACK, Colour, Move, PointSet
from phantomgo.rules import Rules
from phantomgo.trail import Trail
from phantomgo.view import View


class Owner(Enum):
    """Whose seat a colour is."""

    CONTROLLER = "controller"
    BOT = "bot"


class Moment(NamedTuple):
    """What there is to see at some point of a game.

    Attributes:
        views: what each player knows.
        owners: the seats that are decided.
        latest: the controller's colour that moved last; they look at the game from there.
        to_move: whose turn it is.
    """

    views: Mapping[Colour, View]
    owners: Mapping[Colour, Owner]
    latest: Colour | None
    to_move: Colour

    @classmethod
    def blank(cls, rules: Rules) -> Self:
        """An empty board before the first move."""
        return cls({colour: View(rules, colour) for colour in Colour}, {}, None, BLACK)


class Line(NamedTuple):
    """A move as the controller says it, or was told it."""

    colour: Colour
    move: Move


class Step(NamedTuple):
    """A line, whether it stood, and what there was to see after it.

    `said` is false for a bot's move that nobody asked for (see `Host.play`); `attempts` is how many
    attempts of both sides the referee had judged by then.
    """

    line: Line
    stands: bool
    after: Moment
    said: bool = True
    attempts: int = 0


@dataclass(frozen=True)
class Story:
    """The steps of a game, and how many of them are being told again.

    Attributes:
        start: what there was to see before the first step.
        handicap: Black's stones at the start.
        steps: in order.
        stood: how many steps there are up to the last one that was said and stands.
        told: how many steps have been told again; None while the story goes on.
        placed: the handicap has been told again.
        filed: the game is from a file, and nobody can tell it from its first move.
    """

    start: Moment
    handicap: PointSet = 0
    steps: Trail[Step] = field(default_factory=Trail)
    stood: int = 0
    told: int | None = None
    placed: bool = False
    filed: bool = False

    def then(self, step: Step) -> "Story":
        steps = self.steps.then(step)
        stood = len(steps) if step.said and step.stands else self.stood
        return replace(self, steps=steps, stood=stood, told=None, placed=False)

    @property
    def attempts(self) -> int:
        """How many attempts of both sides the referee has judged."""
        return self.steps[-1].attempts if self.steps else 0

    def before_the_last_move(self) -> "Story | None":
        """The story up to the last move that was said and stands; None if there is none."""
        if not self.stood:
            return None
        kept = self.steps[: self.stood - 1]
        stands = (place for place, step in enumerate(kept, 1) if step.said and step.stands)
        stood = max(stands, default=0)
        return replace(self, steps=Trail(kept), stood=stood, told=None, placed=False)

    def again(self) -> "Story":
        """To be told again, from the start."""
        return replace(self, told=0, placed=not self.handicap)

    def following(self, told: int, line: Line) -> tuple[int, bool] | None:
        """How many steps are told with this line after so many, and whether it stood.

        None if it is none of them. What was refused between two lines that stand may be told in
        any order, or not at all.
        """
        ahead = self._until_one_stands(range(told, len(self.steps)))
        if ahead and self.steps[ahead[-1]].stands and self.steps[ahead[-1]].line == line:
            return ahead[-1] + 1, True
        # What was refused may be behind: before the last line told.
        behind = self._until_one_stands(range(told - 2, -1, -1))
        if any(self.steps[p].line == line and not self.steps[p].stands for p in behind):
            return told, False
        for place in ahead:
            if self.steps[place].line == line and not self.steps[place].stands:
                return place + 1, False
        return None

    def _until_one_stands(self, places: Iterable[int]) -> list[int]:
        """The places of what was said, up to the first line that stands."""
        found: list[int] = []
        for place in places:
            if self.steps[place].said:
                found.append(place)
                if self.steps[place].stands:
                    break
        return found

    def whole(self, told: int) -> bool:
        """Whether nothing that stands is left to tell."""
        return told >= self.stood

    def at(self, told: int) -> Moment:
        """What there was to see after so many steps."""
        return self.steps[told - 1].after if told else self.start

    def reached(self, lines: Iterable[Line]) -> int | None:
        """How many steps lead to where these lines do; None if they are of another game.

        The last one told may be said twice: GoGui tells its ruler a program's move twice.
        """
        told = 0
        for line in lines:
            found = self.following(told, line)
            if found is not None:
                told, _ = found
            elif not (told and self.steps[told - 1].line == line):
                return None
        if self.whole(told):
            return len(self.steps)
        while not self.steps[told].said:
            told += 1
        return told
