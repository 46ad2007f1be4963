"""The lines of a game between controller and host, stored so that the game can be repeated.

GUIs take moves back by `clear_board` and the earlier moves. Such a controller repeats the game from
its first move and continues it; what it has learned stays known. A story contains only the
controller's lines and the answers to them: the vertices of its attempts, whether they were
accepted, and `pass` for a hidden bot's moves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple, Self

from phantomgo.game.log import Log
from phantomgo.game.points import BLACK, Colour, Move, PointSet
from phantomgo.game.rules import Rules
from phantomgo.game.view import View


class Owner(Enum):
    """The side that plays a colour."""

    CONTROLLER = "controller"
    BOT = "bot"


class VisibleGame(NamedTuple):
    """The visible game at some point of it.

    Attributes:
        views: each player's view.
        owners: the owners of the seats that are taken.
        latest: the controller's colour that moved last; they see the game from there.
        to_move: the side to move.
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
    """A move as the controller sent it or received it."""

    colour: Colour
    move: Move


class StoryStep(NamedTuple):
    """A line of the story and its effect.

    Attributes:
        line: the move.
        stands: it was accepted.
        after: the visible game after it.
        said: the controller knows of it, unlike a bot's unasked move (see `Host.play`).
        attempts: number of attempts of both sides that the referee had judged by then.
    """

    line: Line
    stands: bool
    after: VisibleGame
    said: bool = True
    attempts: int = 0


@dataclass(frozen=True)
class Story:
    """The steps of a game, and how many of them have been repeated.

    Attributes:
        start: the visible game before the first step.
        handicap: Black's stones at the start.
        steps: in order.
        stood: number of steps up to the last one that was said and accepted.
        repeated: number of steps that have been repeated; None outside of a repetition.
        placed: the repetition has placed the handicap.
        filed: the game is from a file and cannot be repeated.
    """

    start: VisibleGame
    handicap: PointSet = 0
    steps: Log[StoryStep] = field(default_factory=Log)
    stood: int = 0
    repeated: int | None = None
    placed: bool = False
    filed: bool = False

    @property
    def complete(self) -> bool:
        """True if a repetition has reached the last accepted move."""
        return self.placed and self.repeated is not None and self.repeated >= self.stood

    def then(self, step: StoryStep) -> "Story":
        steps = self.steps.then(step)
        stood = len(steps) if step.said and step.stands else self.stood
        return replace(self, steps=steps, stood=stood, repeated=None)

    @property
    def attempts(self) -> int:
        """Number of attempts of both sides that the referee has judged."""
        return self.steps[-1].attempts if self.steps else 0

    def before_the_last_move(self) -> "Story | None":
        """The story up to the last move that was said and accepted; None if there is none."""
        if not self.stood:
            return None
        kept = self.steps[: self.stood - 1]
        stands = (place for place, step in enumerate(kept, 1) if step.said and step.stands)
        stood = max(stands, default=0)
        return replace(self, steps=Log(kept), stood=stood, repeated=None)

    def again(self) -> "Story":
        """The story at the start of a repetition."""
        return replace(self, repeated=0, placed=not self.handicap)

    def following(self, repeated: int, line: Line) -> tuple[int, bool] | None:
        """The number of steps repeated after this line, and whether it was accepted.

        None if it does not repeat one of the next steps. Refused lines between two accepted ones
        may be repeated in any order, or not at all.
        """
        ahead = self._until_one_stands(range(repeated, len(self.steps)))
        if ahead and self.steps[ahead[-1]].stands and self.steps[ahead[-1]].line == line:
            return ahead[-1] + 1, True
        # A refused line may be behind: before the last line repeated.
        behind = self._until_one_stands(range(repeated - 2, -1, -1))
        if any(self.steps[p].line == line and not self.steps[p].stands for p in behind):
            return repeated, False
        for place in ahead:
            if self.steps[place].line == line and not self.steps[place].stands:
                return place + 1, False
        return None

    def _until_one_stands(self, places: Iterable[int]) -> list[int]:
        """The places of the steps that were said, up to the first accepted one."""
        taken: list[int] = []
        for place in places:
            if self.steps[place].said:
                taken.append(place)
                if self.steps[place].stands:
                    break
        return taken

    def at(self, steps: int) -> VisibleGame:
        """The visible game after this number of steps."""
        return self.steps[steps - 1].after if steps else self.start

    def reached(self, lines: Iterable[Line]) -> int | None:
        """The number of steps to which these lines lead; None if they are of another game.

        The last line may occur twice: GoGui sends its ruler a program's move twice.
        """
        steps = 0
        for line in lines:
            following = self.following(steps, line)
            if following is not None:
                steps, _ = following
            elif not (steps and self.steps[steps - 1].line == line):
                return None
        if steps >= self.stood:
            return len(self.steps)
        while not self.steps[steps].said:
            steps += 1
        return steps
