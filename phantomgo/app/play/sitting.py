"""Time spent at a board: who sits where, whose turn it is, what is shown, what is being waited for.

No terminal takes part: screen.py and lines.py show what a `Sitting` has to show (page.py) and hand
it what is typed (commands.py), so whole games are tested without one.

What takes time is a `Work`, done in a thread: the front awaits it, calls `finish` when it is done,
or `interrupt` when the person would rather have the prompt back. An interrupted bot thinks on, and
its answer is awaited again later: the game itself is never between two states.
"""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Final

from phantomgo.app.play import background, saving
from phantomgo.app.play.background import Work
from phantomgo.app.play.game import Game, Moment
from phantomgo.app.players import Conditions, player
from phantomgo.app.warm import WarmUp
from phantomgo.errors import PhantomGoError
from phantomgo.game import Listener
from phantomgo.outcome import Ending, Fault
from phantomgo.player import Player
from phantomgo.points import Colour, Move, Point, PointSet, vertex

HUMAN: Final = "human"
"""The spec of a person at this terminal."""
HEARING: Final = 2.0
"""Seconds an engine has to hear that the game is over, when the person leaves."""
NAME: Final = 40
"""Characters of a name that are shown."""
ADVISER: Final = "phantom"
"""The bot that gives hints."""


class Phase(Enum):
    """What the person at the terminal sees.

    PLAY: his view. HANDOVER: still his view, his turn being over. CURTAIN: nothing, while two
    people change seats. OVER: everything.
    """

    PLAY = "play"
    HANDOVER = "handover"
    CURTAIN = "curtain"
    OVER = "over"


class Sitting:
    """People and bots at a board.

    Attributes:
        game: the game.
        humans: the colours played at this terminal.
        facing: the colour whose view is shown; None where nobody here plays.
        phase: what is shown.
        marks: each player's guesses.
        heat: how likely enemy stones stand where; empty unless asked for.
        hint: the point of a hint.
        answer: the reply to what was typed last, a line or two.
        page: a longer reply.
        scroll: lines of the page scrolled by.
        at: after the game, the moment that is shown.
        chances: Black's chance of winning at each moment, once reviewed.
        work: what is being waited for.
        paused: no bot is asked for a move until the person says so.
        leaving: the person was asked whether to leave.
        closed: he is gone.
        files: what may be overwritten by saving again.
        note: what a bot logged, to be shown while it is waited for.
        warm_up: the kernels' loading.
        changed: the board has to be shown again (for who cannot redraw).
    """

    def __init__(
        self,
        game: Game,
        *,
        autosave: Path | None = None,
        now: Callable[[], float] = time.monotonic,
        pace: float = 0.0,
    ) -> None:
        """Sit down at a game; `begin` lets it go on.

        Args:
            game: new, adjourned or over.
            autosave: where to keep it after every attempt.
            now: the time in seconds.
            pace: the least time a watched bot takes for an attempt, in seconds.
        """
        self.game = game
        self.now = now
        self.humans = frozenset(c for c in Colour if game.name(c) == HUMAN)
        self.facing = min(self.humans, default=None)
        self.phase = Phase.PLAY
        if len(self.humans) == 2:
            self.facing = game.to_move
            self.phase = Phase.CURTAIN if game.steps else Phase.PLAY
        self.marks: dict[Colour, PointSet] = dict.fromkeys(Colour, 0)
        self.heat: Mapping[Point, float] = {}
        self.hint: Point | None = None
        self.answer = "Type a point, such as D4, or `help`."
        self.page: list[str] = []
        self.scroll = 0
        self.at = len(game.moments) - 1
        self.chances: list[float] | None = None
        self.work: Work | None = None
        self.paused = self.leaving = self.closed = False
        self.changed = True
        self.files: set[Path] = set()
        self.note = ""
        self.warm_up = WarmUp()
        self._autosave, self._pace = autosave, pace
        self._turn_began = now()
        self._players: dict[Colour, Future[Player]] = {}
        self._hearing: list[Future[None]] = []
        self._thinking: Future[tuple[Move, float]] | None = None
        if game.outcome is not None:
            self._over()

    # The game's course

    def begin(self) -> None:
        """Have the players and the adviser's kernels made ready, and let the game go on."""
        bots = set(Colour) - self.humans
        if self.game.outcome is not None or not bots:
            self.warm_up.begin(ADVISER, self.game.rules.size)
        else:
            for colour in bots:
                make = partial(self._seated, self._maker(colour))
                self._players[colour] = background.begin(f"{colour} sits down", make)
        self._turn_began = self.now()
        self._advance()

    def _maker(self, colour: Colour) -> Callable[[], Player]:
        left = self.game.left(colour)
        conditions = Conditions(self.game.rules, None if left is None else max(int(left), 1))
        side = self.game.start.side(colour)
        return partial(player, side.name, colour, side.seed or 0, colour, conditions)

    def _seated(self, make: Callable[[], Player]) -> Player:
        """Runs in a thread: kernels are loaded once it is known that there will be a game."""
        made = make()
        self.warm_up.begin(ADVISER, self.game.rules.size)
        return made

    @property
    def busy(self) -> bool:
        """Whether a thread is still at work, so that the process has to end by `os._exit`.

        Engines get a moment to hear how the game ended.
        """
        wait(self._hearing, HEARING)
        return background.running() or self.warm_up.running

    @property
    def failure(self) -> PhantomGoError | None:
        """Why a player cannot play at all, if one cannot."""
        for colour, future in self._players.items():
            error = future.exception() if future.done() else None
            if isinstance(error, Fault):
                return PhantomGoError(f"{colour} ({self.name(colour)}) {error}")
            if isinstance(error, PhantomGoError):
                return error
        return None

    def wait_for_players(self) -> None:
        """Until the bots have their seats.

        Raises:
            PhantomGoError: one of them cannot play at all.
        """
        wait(self._players.values())
        if self.failure is not None:
            raise self.failure

    @property
    def his_turn(self) -> bool:
        """Whether the person whose view is shown is to attempt."""
        return self.phase is Phase.PLAY and self.game.to_move is self.facing

    @property
    def moment(self) -> Moment:
        """What is shown of the game: the present one, after the game any."""
        return self.game.moments[self.at if self.phase is Phase.OVER else -1]

    def attempt(self, move: Move) -> None:
        """The person's attempt."""
        self._attempt(move, self.now() - self._turn_began)

    def _attempt(self, move: Move, seconds: float) -> None:
        before = self.game.to_move
        self.game.attempt(move, seconds)
        # A bot that was refused thinks on: whoever waits is not to notice.
        if self.game.to_move is not before or before in self.humans:
            self._turn_began = self.now()
        self.heat, self.hint, self.page, self.changed = {}, None, [], True
        self._keep()
        self._advance()

    def _advance(self) -> None:
        """Let whoever is to move begin."""
        to_move = self.game.to_move
        if self.game.outcome is not None:
            self._over()
        elif to_move in self.humans and to_move is not self.facing and self.phase is Phase.PLAY:
            self.phase = Phase.HANDOVER
        elif to_move not in self.humans and not self.paused:
            self._think(to_move)

    def go(self, *, once: bool = False) -> None:
        """Wait for the bot that is to move; `once` only for its next attempt."""
        if self.phase is Phase.OVER or self.game.to_move in self.humans:
            self.answer = "There is nothing to wait for."
            return
        self.paused = once and not self.humans
        self._think(self.game.to_move)

    def _think(self, colour: Colour) -> None:
        if self._thinking is None:
            task = partial(self._propose, self._players[colour], colour)
            self._thinking = background.begin(f"{colour} thinks", task)
        before, began = self.game.turn_seconds(colour)[0], self._turn_began

        def share() -> float | None:
            """His last turn tells how long this one may take."""
            return min((self.now() - began) / before, 1) if before > 1 else None

        self.work = Work(f"{colour} thinks", self._thinking, self._take_move, share, began)

    def _propose(self, seat: Future[Player], colour: Colour) -> tuple[Move, float]:
        """Runs in a thread."""
        view, chosen = self.game.view(colour), seat.result()
        began = time.perf_counter()
        move = chosen.propose(view)
        seconds = time.perf_counter() - began
        time.sleep(max(self._pace - seconds, 0))
        return move, seconds

    def _take_move(self, future: Future[tuple[Move, float]]) -> None:
        colour, self._thinking = self.game.to_move, None
        error = future.exception()
        if isinstance(error, Fault):
            self.game.end(error.outcome(colour))
            self._keep()
            self._over()
        elif error is not None:
            self.paused = True
            words = str(error) or type(error).__name__
            self.answer = f"{colour} failed: {words}. Enter asks again; the game is as it was."
        else:
            self._attempt(*future.result())

    def abandon(self) -> None:
        """End the game without a result, whoever is to move."""
        self.game.end(
            Fault(Ending.VOID, "to move, the game was abandoned").outcome(self.game.to_move)
        )
        self._keep()
        self._over()

    def _over(self) -> None:
        self.phase, self.work, self.page, self.changed = Phase.OVER, None, [], True
        self.at = len(self.game.moments) - 1
        outcome = self.game.outcome
        assert outcome is not None
        sentence = outcome.sentence[:1].upper() + outcome.sentence[1:]
        self.answer = f"{sentence} ({outcome.result}). `back`, `next`, `review`, `save`, `help`."
        for colour, seat in self._players.items():
            chosen = seat.result() if seat.done() and seat.exception() is None else None
            if isinstance(chosen, Listener):
                hear = partial(chosen.hear_end, self.game.view(colour))
                self._hearing.append(background.begin(f"{colour} hears the end", hear))

    def _keep(self) -> None:
        if self._autosave is not None:
            try:
                saving.keep(self.game, self._autosave)
            except OSError as error:
                self._autosave = None
                self.answer = f"The game cannot be kept as it goes: {error.strerror}."

    # Waiting

    def start(
        self,
        what: str,
        task: Callable[[], Any],
        take: Callable[[Any], None],
        share: Callable[[], float | None] = lambda: None,
    ) -> None:
        """Have something worked out; `take` gets it, unless the person stops waiting."""

        def took(future: Future[Any]) -> None:
            error = future.exception()
            if error is None:
                take(future.result())
            else:
                self.answer = f"That failed: {error or type(error).__name__}."

        self.work = Work(what, background.begin(what, task), took, share, self.now())

    def finish(self) -> None:
        """Take what was waited for; it has to be done."""
        work, self.work = self.work, None
        if work is not None:
            self.note = ""
            work.take(work.future)

    def interrupt(self) -> None:
        """Ctrl-C: stop waiting."""
        self.leaving = False
        work, self.work = self.work, None
        if work is None:
            self.answer = "Ctrl-D or `quit` leaves."
        elif work.future is self._thinking:
            self.paused = True
            self.answer = f"{work.what} on; Enter waits for it."
        else:
            self.answer = "Stopped."

    # The clock

    def clock(self, colour: Colour) -> float | None:
        """Seconds left to a side at this moment; None without a clock."""
        left = self.game.left(colour)
        if left is None or self.phase is Phase.OVER or colour is not self.game.to_move:
            return left
        if colour in self.humans:
            return left - (self.now() - self._turn_began if self.his_turn else 0)
        # The attempts of this turn are in what is left already.
        running = 0 if self.work is None else self.now() - self.work.began
        return left + self.game.turn_seconds(colour)[1] - running

    def tick(self) -> None:
        """End the game if the person's time is up."""
        colour = self.game.to_move
        if self.his_turn and (self.clock(colour) or 0) < 0:
            why = f"ran out of time: {self.game.start.time} s for the game"
            self.game.end(Fault(Ending.TIME, why).outcome(colour))
            self._keep()
            self._over()

    # What the person does beside playing

    def enter(self) -> None:
        """Enter without a word: go on, whatever that is now."""
        self.changed = True
        if self.phase is Phase.CURTAIN:
            self.phase, self.facing, self.answer = Phase.PLAY, self.game.to_move, ""
            self._turn_began = self.now()
        elif self.phase is Phase.HANDOVER:
            self.phase, self.page = Phase.CURTAIN, []
        elif self.page:
            self.page = []
        elif self.phase is Phase.OVER:
            self.show(self.at + 1)
        elif self.game.to_move not in self.humans:
            self.go(once=True)

    def show(self, number: int) -> None:
        """Show the game after so many attempts."""
        self.at = max(0, min(number, len(self.game.moments) - 1))
        self.page, self.changed = [], True

    def ask_to_leave(self) -> None:
        """Ctrl-D, or `quit`."""
        if self.leaving:
            self.closed = True
        self.leaving = True
        self.answer = f"Leave? {self.kept} [y/N]".replace("  ", " ")

    @property
    def kept(self) -> str:
        """How to come back to the game, if one can."""
        if self._autosave is None or not self.game.steps:
            return ""
        return "The game is kept: `phantomgo play --resume` goes on with it."

    def name(self, colour: Colour) -> str:
        """Who plays a colour, as it is shown."""
        name = self.game.name(colour)
        short = name if len(name) <= NAME else name[: NAME - 3] + "..."
        return "you" if self.humans == {colour} else short

    def turn(self) -> str:
        """Whose turn it is, in words."""
        return f"{self.game.to_move} ({self.name(self.game.to_move)}) is to move"

    def point_name(self, point: Point) -> str:
        return vertex(point, self.game.rules.size)
