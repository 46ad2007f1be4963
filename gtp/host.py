"""The host: the server holds the referee and lets a bot play either colour.

Each colour is a seat. The first `play` or `genmove` for a colour in a game decides whose seat it
is, the controller's or the bot's. While `hide` is on, nothing the server says depends on more of
the game than the controller's seats were told.
"""

from dataclasses import replace
from enum import Enum
from typing import Self

from gtp import display, syntax
from gtp.common import COMMON
from gtp.role import Role, Services, Settings
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.errors import PhantomGoError
from phantomgo.messages import Refused
from phantomgo.points import PASS, RESIGN, Colour, Move, PointSet, grid, vertex, vertices
from phantomgo.referee import Referee
from phantomgo.sgf import SgfGame, read_sgf
from phantomgo.view import View


class Owner(Enum):
    """Whose seat a colour is."""

    CONTROLLER = "controller"
    BOT = "bot"


class IllegalMove(Failure):
    """The one failure that is an answer: the attempt was judged, and that stands."""

    def __init__(self) -> None:
        super().__init__("illegal move")


class Host(Role):
    """One game between the controller and the bot, or either against itself.

    Attributes:
        referee: the game.
        owners: the seats that are decided.
    """

    themes = COMMON
    way = "phantom-seat none first"
    referee: Referee
    owners: dict[Colour, Owner]
    _latest: Colour | None
    """The controller's colour that moved last; they look at the game from there."""

    @classmethod
    def asked_for(cls, word: str, settings: Settings, services: Services) -> Self | None:
        return cls(settings, services) if word.lower() == "none" else None

    def copy(self) -> Self:
        twin = super().copy()
        twin.referee = self.referee.copy()
        twin.owners = dict(self.owners)
        return twin

    def new_game(self) -> None:
        super().new_game()
        self._begin(Referee(self.settings.rules))

    def _begin(self, referee: Referee) -> None:
        self.referee, self.owners, self._latest = referee, {}, None

    @property
    def begun(self) -> bool:
        board = self.referee.board
        return bool(self.referee.log or board.black or board.white)

    @property
    def result(self) -> str | None:
        return None if self.referee.outcome is None else self.referee.outcome.result

    @property
    def secret(self) -> bool:
        return self.settings.hide and self.result is None

    def place(self, colour: Colour, points: PointSet) -> None:
        stones = {colour: points, colour.other: 0}
        black, white = (stones[side] for side in Colour)
        self.referee = Referee(self.settings.rules, black=black, white=white)

    def komi_changed(self) -> None:
        self.referee.set_komi(self.settings.rules.komi)

    # Moves

    @command("play")
    def play(self, colour: str, where: str) -> None:
        side, move = syntax.colour(colour), syntax.move(where, self.referee.rules.size)
        self._take_seat(side)
        if isinstance(self.referee.attempt(side, move), Refused):
            raise IllegalMove

    @command("genmove")
    def genmove(self, colour: str) -> str:
        side = syntax.colour(colour)
        self._forbid_after_end()
        if self.owners.setdefault(side, Owner.BOT) is Owner.CONTROLLER:
            self._latest = side
        move = self._let_bot_move(side)
        if self._hidden(side) and move != RESIGN:
            move = PASS
        return vertex(move, self.referee.rules.size)

    @command("reg_genmove")
    def reg_genmove(self, colour: str) -> str:
        """What the bot would do; a seat they may ask this for is the controller's."""
        side = syntax.colour(colour)
        self._take_seat(side)
        return self.suggest(self.referee.view(side))

    def _let_bot_move(self, side: Colour) -> Move:
        """Let the bot propose until a move stands; RESIGN also where the tries cost the game."""
        while True:
            view = self.referee.view(side)
            move = self.propose(view)
            if not isinstance(self.referee.attempt(side, move), Refused):
                return move
            if self.referee.view(side).turn > view.turn:
                return PASS  # the tries ran out
            if self.referee.outcome is not None:
                return RESIGN

    def _take_seat(self, side: Colour) -> None:
        """Make an undecided seat the controller's."""
        self._forbid_after_end()
        owner = self.owners.setdefault(side, Owner.CONTROLLER)
        if self._hidden(side):
            raise Failure("not your seat")
        if owner is Owner.CONTROLLER:
            self._latest = side

    def _hidden(self, side: Colour) -> bool:
        """Whether the controller may not know what this seat does.

        Not asked of `result`: what the move that ended the game was stays hidden too.
        """
        return self.settings.hide and self.owners.get(side) is Owner.BOT

    def _forbid_after_end(self) -> None:
        if self.referee.outcome is not None:
            raise Failure("game over")

    # Looking

    def seen(self, colour: str | None) -> View:
        side = self._side() if colour is None else syntax.colour(colour)
        if side is None or (self._hidden(side) and self.result is None):
            raise Failure("not your seat")
        return self.referee.view(side)

    def _side(self) -> Colour | None:
        """The colour whose view is the controller's: their seat, else an undecided one."""
        for wanted in (Owner.CONTROLLER, None, Owner.BOT):
            sides = [side for side in Colour if self.owners.get(side) is wanted]
            if sides and not self._hidden(sides[0]):
                return self._latest if self._latest in sides else sides[0]
        return None

    def board(self) -> str:
        if self.referee.outcome is not None:
            return f"{self.true_board()}\n{self.referee.outcome.sentence}"
        side = self._side()
        if side is None:
            return display.public_board(self.referee.view(Colour.BLACK))
        return display.view_board(self.referee.view(side))

    def true_board(self) -> str | None:
        if self.referee.outcome is None:
            return None
        board = self.referee.board
        return display.truth_board(board.size, board.black, board.white)

    @command("final_status_list")
    def final_status_list(self, status: str) -> str:
        """Every stone counts as alive: the area is scored as it stands."""
        if status not in ("alive", "dead", "seki"):
            raise Failure("syntax error")
        if self.referee.outcome is None:
            raise Failure("cannot score")
        if status != "alive":
            return ""
        board = self.referee.board
        chains = [chain for side in Colour for chain in board.chains(side)]
        return "\n".join(vertices(chain, board.size) for chain in chains)

    # Files

    @command("loadsgf")
    def loadsgf(self, path: str, move_number: str = "999999999") -> None:
        """Begin the game of a file as it stands before this move; both seats are undecided."""
        before = syntax.whole(move_number, 1)
        try:
            game = read_sgf(self.services.read_file(path))
            referee = self._replay(game, before - 1)
        except (OSError, PhantomGoError):
            raise Failure("cannot load file") from None
        rules, given = referee.rules, self.settings.komi_given or game.komi is not None
        self.settings = replace(self.settings, rules=rules, komi_given=given)
        super().new_game()
        self._begin(referee)

    def _replay(self, game: SgfGame, count: int) -> Referee:
        komi = self.settings.rules.komi if game.komi is None else game.komi
        rules = replace(self.settings.rules, size=game.size, komi=komi)
        referee = Referee(rules, black=game.black, white=game.white)
        board, geometry = referee.board, grid(game.size)
        empty = geometry.full & ~(game.black | game.white)
        for side in Colour:
            if any(not geometry.grow(chain) & empty for chain in board.chains(side)):
                raise Failure("cannot load file")
        if game.to_move is not None:
            referee.to_move = game.to_move
        for side, move in game.moves[:count]:
            if isinstance(referee.attempt(side, move), Refused):
                raise Failure("cannot load file")
        return referee
