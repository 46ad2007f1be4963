"""Value calibration: fits the curves of bots/value.py to games."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots import Bot, make_installed
from bots.value import SEEN, Curve, smoothed, stage
from bots.worlds import seen_share
from phantomgo.errors import BadText
from phantomgo.lab.teaching.positions import Origin, origin
from phantomgo.points import Colour
from phantomgo.record import Record
from phantomgo.record_json import read_record
from phantomgo.referee import Referee

HELD_OUT: Final = 4
"""One game in this many is held out."""
SEEN_PLAYOUTS: Final = 500
"""Playouts of each position from the true board."""
LEAST: Final = 40
"""The fewest games that a curve is fitted to."""
_STEPS: Final = 25

Floats = NDArray[np.float64]


class Judged(NamedTuple):
    """The shares of one side's searches in a game, and its result.

    Attributes:
        kind: the bot's kind, or SEEN.
        origin: the description of the game.
        shares: the best candidate's share of each turn, smoothed.
        stages: how late in the game each turn was.
        won: whether the bot won the game.
    """

    kind: str
    origin: Origin
    shares: list[float]
    stages: list[float]
    won: bool


class Fitted(NamedTuple):
    """A curve, and how well it does.

    Attributes:
        curve: fitted to all games.
        games: how many there were.
        positions: turns in them.
        log_loss: on one game in `HELD_OUT`, by a curve fitted to the others.
        raw_log_loss: on the same games, if the share itself is taken as the chance.
    """

    curve: Curve
    games: int
    positions: int
    log_loss: float
    raw_log_loss: float


def judged_in(text: str) -> list[Judged]:
    """The decisions of our bots in a recorded game, computed again.

    This is possible because an attempt is a function of spec, seed and view. Games without a
    winner and players who are not our bots give none.

    Raises:
        BadText: the text is not a record.
    """
    record = read_record(text)
    winner = record.outcome.winner
    if winner is None:
        return []
    players = {colour: bot for colour in Colour if (bot := _bot(record, colour)) is not None}
    games = [_judged(record, bot, colour, colour is winner) for colour, bot in players.items()]
    return games + [_seen(record, colour, colour is winner) for colour in Colour]


def _bot(record: Record, colour: Colour) -> Bot | None:
    """The bot that played this colour; in a match with itself a number follows its name."""
    side = record.side(colour)
    try:
        bot = make_installed(side.name.partition(" #")[0], side.seed or 0)
    except BadText:
        return None
    return bot if bot.pure and side.seed is not None else None


def _judged(record: Record, bot: Bot, colour: Colour, won: bool) -> Judged:
    shares, stages = [], []
    for referee in _turns(record, colour):
        view = referee.view(colour)
        decision = bot.decide(view)
        if decision.share is not None:
            shares.append(smoothed(decision.share, decision.candidates[0].visits))
            stages.append(stage(view))
    return Judged(bot.kind, origin(record), shares, stages, won)


def _seen(record: Record, colour: Colour, won: bool) -> Judged:
    """The same, judged by playouts from the true board."""
    shares, stages, rules = [], [], record.rules
    for referee in _turns(record, colour):
        own, enemy = (referee.board.stones(side) for side in (colour, colour.other))
        view = referee.view(colour)
        share = seen_share(own, enemy, rules, colour, view.turn, SEEN_PLAYOUTS)
        shares.append(smoothed(share, SEEN_PLAYOUTS))
        stages.append(stage(view))
    return Judged(SEEN, origin(record), shares, stages, won)


def _turns(record: Record, colour: Colour) -> Iterator[Referee]:
    """The game at each turn of a colour, before its first attempt."""
    referee, turn = record.begin(), -1
    for step in record.steps:
        if step.colour is colour and referee.view(colour).turn > turn:
            turn = referee.view(colour).turn
            yield referee
        referee.attempt(step.colour, step.move)


def fitted(games: Sequence[Sequence[Judged]]) -> Mapping[str, Fitted]:
    """The curve of each kind that has been judged in `LEAST` games.

    Args:
        games: the result of `judged_in` for each game.
    """
    judged: dict[str, list[list[Judged]]] = {}
    for game in games:
        for kind in {one.kind for one in game if one.shares}:
            judged.setdefault(kind, []).append([one for one in game if one.kind == kind])
    return {kind: _fitted(judged[kind]) for kind in sorted(judged) if len(judged[kind]) >= LEAST}


def _fitted(games: Sequence[Sequence[Judged]]) -> Fitted:
    learned = [game for i, game in enumerate(games) if i % HELD_OUT]
    features, won = _table(games[::HELD_OUT])
    raw = _chances(np.array([0.0, 1.0, 0.0]), features)
    loss = _log_loss(_chances(_fit(*_table(learned)), features), won)
    everything = _table(games)
    constant, share, turn = (round(float(number), 3) for number in _fit(*everything))
    curve = Curve(constant, share, turn)
    count = len(everything[1])
    return Fitted(curve, len(games), count, round(loss, 4), round(_log_loss(raw, won), 4))


def _table(games: Sequence[Sequence[Judged]]) -> tuple[Floats, Floats]:
    """The features of every position, shape (positions, 3), and whether its game was won."""
    sides = [side for game in games for side in game]
    shares = np.concatenate([side.shares for side in sides])
    stages = np.concatenate([side.stages for side in sides])
    won = np.concatenate([np.full(len(side.shares), float(side.won)) for side in sides])
    return np.stack([np.ones_like(shares), np.log(shares / (1 - shares)), stages], 1), won


def _fit(features: Floats, won: Floats) -> Floats:
    """Logistic regression by Newton's method, with a ridge penalty of 1e-3."""
    weights, ridge = np.zeros(features.shape[1]), 1e-3 * np.eye(features.shape[1])
    for _ in range(_STEPS):
        chances = _chances(weights, features)
        slope = features.T @ (chances - won) + ridge @ weights
        bend = (features.T * (chances * (1 - chances))) @ features + ridge
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def _chances(weights: Floats, features: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
    return chances


def _log_loss(chances: Floats, won: Floats) -> float:
    return float(-np.log(np.where(won > 0, chances, 1 - chances)).mean())
