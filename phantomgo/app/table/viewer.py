"""A viewer: one person's look at a table, in any interface.

A viewer plays one colour, both in turn at one screen, or none. What they may see is `scenes`.
It depends on the phase and, during play, on the view of the colour they face, and on nothing else.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from phantomgo.app.table.facts import shortened
from phantomgo.app.table.game import GameMoment, TableGame
from phantomgo.app.table.scene import Scene, true_scene, view_scene
from phantomgo.app.table.table import Table
from phantomgo.game.points import BLACK, WHITE, Colour, Move, Point, PointSet, vertex
from phantomgo.phrase import Phrase

VIEWS: Final = {BLACK: Phrase("Black's view"), WHITE: Phrase("White's view")}
TITLES: Final = (Phrase("Full board"), *VIEWS.values())


class Phase(Enum):
    """The phase of a viewer's look at the game.

    PLAY: the view they face. HANDOVER: the same view, after their turn. CURTAIN: nothing,
    while two people change seats. OVER: everything.
    """

    PLAY = auto()
    HANDOVER = auto()
    CURTAIN = auto()
    OVER = auto()


class Viewer:
    """One person's look at a table.

    Attributes:
        seats: the colours they play.
        facing: the colour whose view is shown; None for spectators.
        marks: guesses of enemy stones, for each colour played.
        heat: the probability of an enemy stone, by point; empty unless asked for.
        hint: the point of a hint.
        at: after the game, the moment that is shown.
    """

    def __init__(self, table: Table, seats: frozenset[Colour]) -> None:
        self.sit_at(table, seats)

    def sit_at(self, table: Table, seats: frozenset[Colour]) -> None:
        """Look at a table, and forget what was seen of another one."""
        self.table, self.seats = table, seats
        self.facing = min(seats, default=None)
        self.phase = Phase.PLAY
        if len(seats) == 2:
            self.facing = self.game.to_move
            if self.game.steps:
                self._draw_curtain()
        self.marks: dict[Colour, PointSet] = dict.fromkeys(Colour, 0)
        self.heat: Mapping[Point, float] = {}
        self.hint: Point | None = None
        self.at = len(self.game.moments) - 1
        self._known = self._knowledge()
        if self.game.outcome is not None:
            self.phase = Phase.OVER
        table.watchers.append(self.notice)

    @property
    def game(self) -> TableGame:
        return self.table.game

    # What is seen

    @property
    def moment(self) -> GameMoment:
        """The moment of the game that is shown: the present one, after the game any."""
        return self.game.moments[self.at if self.phase is Phase.OVER else -1]

    def scenes(self) -> list[tuple[str, Scene]]:
        """Return the boards to show, with titles: one's own, or the full board and both views."""
        if self.phase is Phase.CURTAIN:
            return []
        if self.facing is not None and self.phase is not Phase.OVER:
            view, marks = self.game.view(self.facing), self.marks[self.facing]
            return [(VIEWS[self.facing], view_scene(view, marks, self.heat, self.hint))]
        over = self.game.outcome is not None and self.moment is self.game.moments[-1]
        return three_scenes(self.moment, areas=over)

    @property
    def their_turn(self) -> bool:
        """Return whether the person whose view is shown is to attempt."""
        return self.phase is Phase.PLAY and self.game.to_move is self.facing

    @property
    def pass_ends_game(self) -> bool:
        """Return whether a pass of the person whose view is shown would end the game."""
        return self.their_turn and self.game.view(self.game.to_move).opponent_passed

    def objection(self, move: Move) -> str:
        """Return why they know already that an attempt would be refused; empty if they don't."""
        if self.facing is None or move < 0:
            return ""
        view = self.game.view(self.facing)
        if view.own >> move & 1:
            return Phrase("Your own stone is at {point}.", point=self.point_name(move))
        if view.located >> move & 1:
            return Phrase(
                "{player} certainly has a stone at {point}.",
                player=view.colour.other,
                point=self.point_name(move),
            )
        return ""

    def name(self, colour: Colour) -> str:
        """Return the name of a player, as it is shown."""
        return "you" if self.seats == {colour} else shortened(self.game.name(colour))

    def turn(self) -> str:
        """Return whose turn it is, in words."""
        return f"{self.game.to_move} ({self.name(self.game.to_move)}) is to move"

    def point_name(self, point: Point) -> str:
        return vertex(point, self.game.rules.size)

    # What happens

    def move_to(self, table: Table) -> None:
        """Look at another table from here on: the same game before a correction."""
        self.table, self.phase = table, Phase.PLAY
        self.notice()

    def notice(self) -> None:
        """Note that the table has changed. Heat and hint vanish if what is known has changed."""
        if self._knowledge() != self._known:
            self._forget_advice()
        to_move = self.game.to_move
        if self.game.outcome is not None:
            self.phase, self.at = Phase.OVER, len(self.game.moments) - 1
        elif to_move in self.seats and to_move is not self.facing and self.phase is Phase.PLAY:
            self.phase = Phase.HANDOVER
            self.table.turn.stop()

    def _knowledge(self) -> object:
        return len(self.game.steps) if self.facing is None else self.game.view(self.facing)

    def _forget_advice(self) -> None:
        self.heat, self.hint, self._known = {}, None, self._knowledge()

    def _draw_curtain(self) -> None:
        self.phase = Phase.CURTAIN
        self.table.turn.stop()

    def change_seats(self) -> None:
        """Take the next step of two people at one screen: hide the board, or show it again."""
        if self.phase is Phase.HANDOVER:
            self._draw_curtain()
        elif self.phase is Phase.CURTAIN:
            self.phase, self.facing = Phase.PLAY, self.game.to_move
            self._forget_advice()
            self.table.turn.start()

    def show(self, number: int) -> None:
        """After the game, show this moment."""
        self.at = max(0, min(number, len(self.game.moments) - 1))


def three_scenes(moment: GameMoment, *, areas: bool = False) -> list[tuple[str, Scene]]:
    """Return the full board, with the final areas if wanted, and both views, with their titles."""
    truth = true_scene(moment.board, moment.step)
    if areas:
        black, white = moment.board.areas()
        truth = truth._replace(black_area=black, white_area=white)
    return list(zip(TITLES, (truth, *map(view_scene, moment.views)), strict=True))
