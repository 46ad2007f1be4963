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


class GameSnapshot(NamedTuple):
    """A game at some point: what both players know, who has the seats, and whose turn it is.

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


class SentMove(NamedTuple):
    """A move as the controller sent it or received it."""

    colour: Colour
    move: Move


class StoryStep(NamedTuple):
    """A move of the story and its effect.

    Attributes:
        sent: the move.
        accepted: the referee accepted it.
        after: the game after it.
        known: the controller knows of it, unlike a bot's unasked move (see `Host.play`).
        attempts: number of attempts of both sides that the referee had judged by then.
    """

    sent: SentMove
    accepted: bool
    after: GameSnapshot
    known: bool = True
    attempts: int = 0


@dataclass(frozen=True)
class Story:
    """The steps of a game, and how many of them have been repeated.

    Attributes:
        start: the game before the first step.
        handicap: Black's stones at the start.
        steps: in order.
        last_accepted: number of steps up to the last one that is known and accepted.
        repeated: number of steps that have been repeated; None outside of a repetition.
        handicap_placed: the repetition has placed the handicap.
        from_file: the game is from a file and cannot be repeated.
    """

    start: GameSnapshot
    handicap: PointSet = 0
    steps: Log[StoryStep] = field(default_factory=Log)
    last_accepted: int = 0
    repeated: int | None = None
    handicap_placed: bool = False
    from_file: bool = False

    @property
    def complete(self) -> bool:
        """True if a repetition has reached the last accepted move."""
        reached = self.repeated is not None and self.repeated >= self.last_accepted
        return self.handicap_placed and reached

    def then(self, step: StoryStep) -> "Story":
        steps = self.steps.then(step)
        last = len(steps) if step.known and step.accepted else self.last_accepted
        return replace(self, steps=steps, last_accepted=last, repeated=None)

    @property
    def attempts(self) -> int:
        """Number of attempts of both sides that the referee has judged."""
        return self.steps[-1].attempts if self.steps else 0

    def before_the_last_move(self) -> "Story | None":
        """The story up to the last move that is known and accepted; None if there is none."""
        if not self.last_accepted:
            return None
        kept = self.steps[: self.last_accepted - 1]
        accepted = (n for n, step in enumerate(kept, 1) if step.known and step.accepted)
        return replace(self, steps=Log(kept), last_accepted=max(accepted, default=0), repeated=None)

    def again(self) -> "Story":
        """The story at the start of a repetition."""
        return replace(self, repeated=0, handicap_placed=not self.handicap)

    def following(self, repeated: int, sent: SentMove) -> tuple[int, bool] | None:
        """The number of steps repeated after this move, and whether it was accepted.

        None if it does not repeat one of the next steps. Refused moves between two accepted ones
        may be repeated in any order, or not at all.
        """
        ahead = self._up_to_accepted(range(repeated, len(self.steps)))
        if ahead and self._is(ahead[-1], sent, accepted=True):
            return ahead[-1] + 1, True
        # A refused move may be behind: before the last one repeated.
        behind = self._up_to_accepted(range(repeated - 2, -1, -1))
        if any(self._is(index, sent, accepted=False) for index in behind):
            return repeated, False
        for index in ahead:
            if self._is(index, sent, accepted=False):
                return index + 1, False
        return None

    def _is(self, index: int, sent: SentMove, *, accepted: bool) -> bool:
        """True if the step of this index is this move, and was accepted or refused."""
        step = self.steps[index]
        return step.sent == sent and step.accepted is accepted

    def _up_to_accepted(self, indices: Iterable[int]) -> list[int]:
        """The indices of the known steps, up to the first accepted one."""
        taken: list[int] = []
        for index in indices:
            if self.steps[index].known:
                taken.append(index)
                if self.steps[index].accepted:
                    break
        return taken

    def at(self, steps: int) -> GameSnapshot:
        """The game after this number of steps."""
        return self.steps[steps - 1].after if steps else self.start

    def reached(self, moves: Iterable[SentMove]) -> int | None:
        """The number of steps to which these moves lead; None if they are of another game.

        The last move may occur twice: GoGui sends its ruler a program's move twice.
        """
        steps = 0
        for sent in moves:
            following = self.following(steps, sent)
            if following is not None:
                steps, _ = following
            elif not (steps and self.steps[steps - 1].sent == sent):
                return None
        if steps >= self.last_accepted:
            return len(self.steps)
        while not self.steps[steps].known:
            steps += 1
        return steps
