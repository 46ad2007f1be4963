"""`online:SPEC|SPEC|...,state=FILE`: a bot that learns from game to game what beats its opponent.

Each of its arms is a bot, or a line of a book. At the start of a game it draws one by UCBT from
what it knows of its arms in this colour; at the end it is told how the game ended. So against a
fixed opponent it converges to the arm that beats them most often; with a `discount` below 1 it
forgets, for opponents who change.

The learner takes no part in a decision. Which arm plays a game is drawn once and kept in the state
file under the seed of the game; from then on an attempt is a function of file, seed and view.

Source: St-Pierre et al., Automatically Reinforcing a Game AI, section III-B and, for the discount,
section VIII; Garivier & Moulines, On upper-confidence bound policies for switching bandits (2011).
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import ClassVar, NamedTuple

import numpy as np

from bots.book import BookBot, line_bot
from bots.experience import Arms, Experience
from bots.fingerprint import fingerprint
from bots.naming import BookSpec, OnlineSpec, parse
from bots.spec import Bot, Delegate, Make
from phantomgo.errors import BadStore
from phantomgo.points import Colour
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.line import Line, Step
from phantomgo.rng import Stream, checked_seed, decision_key
from phantomgo.rules import Rules
from phantomgo.symmetry import IDENTITY, SYMMETRIES, Symmetry
from phantomgo.view import View
from phantomgo.wording import counted

_log = logging.getLogger(__name__)


class Arm(NamedTuple):
    """One of the bots to choose from.

    Attributes:
        spec: who plays, after the line if there is one, with the seed of the game.
        line: a line of a book.
        symmetries: the symmetries one of which is drawn for each game, as with a book.
    """

    spec: str
    line: Line = ()
    symmetries: Sequence[Symmetry] = (IDENTITY,)

    @property
    def name(self) -> str:
        return ", ".join(map(_step_name, self.line)) or self.spec


def _step_name(step: Step) -> str:
    span = "" if step.moves is None else f" for {counted(step.moves, 'move')}"
    return f"{step.bot} seed {step.seed}{span}"


@dataclass(frozen=True)
class Online(Delegate):
    """A bot that learns online. Its seed is that of one game, in which it plays one arm per colour.

    `make` makes its arms.
    """

    kind: ClassVar[str] = "online"
    spec: OnlineSpec
    make: Make = field(repr=False, compare=False)
    _playing: dict[tuple[Rules, Colour], Bot] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def name(self) -> str:
        return self.spec.text

    @property
    def pure(self) -> bool:
        """False: before its first game with a seed it depends on the results of earlier games."""
        return False

    @property
    def players(self) -> tuple[Bot, ...]:
        return self._bots

    def player(self, view: View) -> Bot:
        key = view.rules, view.colour
        if key not in self._playing:
            self._playing[key] = self._draw(*key)
        return self._playing[key]

    def hear_end(self, view: View) -> None:
        """Learn from the result of a game; void and unfinished games don't count.

        A state that cannot be written is logged: the game is over, so raising would help nobody.
        """
        won = score(view)
        if won is None:
            return
        try:
            self.experience(view.rules, view.colour).tell(self.seed, won)
        except BadStore as error:
            _log.warning("nothing was learned of a game: %s", error)

    def arms(self, colour: Colour) -> list[Arm]:
        """The arms to choose from."""
        found = []
        for text, bot in zip(self.spec.arms, self._bots, strict=True):
            if isinstance(bot, BookBot) and isinstance(bot.book, Book):
                book, said = bot.book, parse(text)
                turn = not isinstance(said, BookSpec) or said.symmetry
                turns = book.phantom_go.symmetries if turn else (IDENTITY,)
                lines = book.side(colour).lines or ((),)
                found += [Arm(book.player(colour), line, turns) for line in lines]
            else:
                found.append(Arm(bot.name))
        return found

    def experience(self, rules: Rules, colour: Colour) -> Experience:
        """The results of the present arms with a colour and these rules."""
        looks = {
            bot.name: _look(self.make, bot.name, rules)
            for bot in self._bots
            if not isinstance(bot, BookBot)  # a book's bots are checked when it is read
        }
        names = [arm.name for arm in self.arms(colour)]
        what = {"colour": str(colour), "rules": rules.as_dict(), "bots": looks, "arms": names}
        made_for = {"arms": list(self.spec.arms), "books": dict(self.data())}
        return Experience(self.spec.state, made_for, json.dumps(what))

    @cached_property
    def _bots(self) -> tuple[Bot, ...]:
        """The bots of the arms, with the seed of this game; one for all seeds of a book."""
        return tuple(self.make(arm, self.seed) for arm in self.spec.arms)

    def _draw(self, rules: Rules, colour: Colour) -> Bot:
        from bots.kernels.ucbt import best_arm  # noqa: PLC0415  (the compiler, half a second)

        stream = Stream(decision_key(self.seed, colour, 0, 0))
        turn, ties = stream.below(len(SYMMETRIES)), stream.below(1 << 32)
        arms = self.arms(colour)

        def choose(known: Arms) -> int:
            return int(best_arm(known.played, known.won, ties))

        known, discount = self.experience(rules, colour), self.spec.discount
        choose(Arms(np.zeros(1), np.zeros(1)))  # compiled now, not while others wait for the file
        number = known.draw(self.seed, len(arms), discount, choose)
        arm = arms[number]
        bot = self.make(arm.spec, self.seed)
        if not arm.line:
            return bot
        symmetry = arm.symmetries[turn % len(arm.symmetries)]  # there are 1, 2, 4 or 8
        return line_bot(arm.line, self.make, symmetry, bot)


@cache
def _look(make: Make, spec: str, rules: Rules) -> str:
    return fingerprint(partial(make, spec), rules)


def score(view: View) -> float | None:
    """The score of a game for the player of its last view: 1, 0, or 1/2 for a draw.

    None if the view does not say how it ended, or that it is void.
    """
    match view.result:
        case None | "Void":
            return None
        case "0" | "Draw":
            return 0.5
        case result:
            return float(result[0].lower() == view.colour.letter)


def make_online(spec: OnlineSpec, seed: int, make: Make) -> Online:
    """The bot of a spec `online:...`, in a game of this seed.

    Raises:
        BadText: the seed is out of range, or an arm is not a bot that may be one.
        BadBook: an arm is a book that cannot be played.
    """
    checked_seed(seed)
    bot = Online(seed, spec, make)
    bot.data()  # a wrong arm is reported now, not at the first move
    return bot
