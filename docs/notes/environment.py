"""Attempts per second of processor time, and OpenSpiel's, for docs/notes/environment.md.

python docs/notes/environment.py [SIZES] [ROUNDS] [SECONDS]

Random legal attempts, observed before each one. Every round measures one after another; the figure
is the median of the rounds. Where pgx is installed, its Go, which has no hidden stones, is one of
the ways on the boards of PGX_SIZES; install it in an environment of its own.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from statistics import median
from time import process_time

import numpy as np
import pyspiel

import phantomgo as pg
from phantomgo import spiel

PGX_SIZES, PGX_STEPS = (5, 9), 16
"""Boards for pgx, which compiles for minutes on larger ones; steps of a call."""
KOMI, NUMBER, WARM = 2.5, 256, 1000
"""WARM steps before the first round let every game be at another stage."""


def openspiel(name: str) -> Iterator[int]:
    """Attempts in one game after another, observed; yields the number of attempts."""
    game, draw = pyspiel.load_game(name), random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.observation_tensor(state.current_player())
            state.apply_action(draw.choice(state.legal_actions()))
            yield 1


def many(size: int, see: bool) -> Iterator[int]:
    """Attempts in `NUMBER` games at once, drawn by NumPy."""
    games = pg.Games(pg.Rules(size=size, komi=KOMI), NUMBER, autoreset=True)
    draw = np.random.default_rng(1)
    while True:
        _, mask = games.see() if see else games.observe()
        games.step((mask * draw.random(mask.shape, np.float32)).argmax(1))
        yield NUMBER


def replayed(size: int, observed: bool) -> Iterator[int]:
    """Attempts that were drawn before, in `NUMBER` games at once."""
    games = pg.Games(pg.Rules(size=size, komi=KOMI), NUMBER, autoreset=True)
    draw, steps = np.random.default_rng(1), list[np.ndarray]()
    for _ in range(WARM):
        legal = games.observe()[1]
        steps.append((legal * draw.random(legal.shape, np.float32)).argmax(1))
        games.step(steps[-1])
    while True:
        games.begin()
        for actions in steps:
            if observed:
                games.observe()
            games.step(actions)
            yield NUMBER


def pgx_go(size: int) -> Iterator[int]:
    """Moves in `NUMBER` games of pgx's Go at once, drawn and begun again by its compiled code."""
    import jax
    from pgx.experimental.wrappers import auto_reset
    from pgx.go import Go

    env = Go(size=size, komi=KOMI)
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def move(state, key):
        logits = jax.numpy.log(state.legal_action_mask)
        keys = jax.random.split(key, NUMBER)
        state = step(state, jax.random.categorical(key, logits, axis=1), keys)
        return state, state.observation.sum()

    @jax.jit
    def go(state, key):
        return jax.lax.scan(move, state, jax.random.split(key, PGX_STEPS))

    key = jax.random.PRNGKey(1)
    state = jax.jit(init)(jax.random.split(key, NUMBER))
    while True:
        key, part = jax.random.split(key)
        state, seen = go(state, part)
        seen.block_until_ready()
        yield NUMBER * PGX_STEPS


def rate(attempts: Iterator[int], seconds: float) -> float:
    """Attempts per second of processor time."""
    start, made = process_time(), 0
    while process_time() - start < seconds:
        made += next(attempts)
    return made / (process_time() - start)


def main(sizes: str = "5,9,13,19", rounds: str = "5", seconds: str = "1") -> None:
    for size in map(int, sizes.split(",")):
        ways: dict[str, Iterator[int]] = {
            "OpenSpiel phantom_go": openspiel(f"phantom_go(board_size={size},komi={KOMI})"),
            "phantomgo.spiel": openspiel(f"{spiel.NAME}(size={size},komi={KOMI})"),
            "pg.Games": many(size, see=False),
            "pg.Games, see": many(size, see=True),
            "pg.Games, recorded actions": replayed(size, observed=True),
            "pg.Games, recorded actions, not observed": replayed(size, observed=False),
        }
        if size in PGX_SIZES and find_spec("pgx"):
            ways["pgx Go"] = pgx_go(size)
        for name, way in ways.items():
            for _ in range(2 if name == "pgx Go" else WARM):
                next(way)
        found = defaultdict[str, list[float]](list)
        for _ in range(int(rounds)):
            for name, way in ways.items():
                found[name].append(rate(way, float(seconds)) / 1000)
        for name, rates in found.items():
            low, high = min(rates), max(rates)
            print(f"{size}x{size} {name}: {median(rates):.0f} k ({low:.0f} to {high:.0f})")


if __name__ == "__main__":
    main(*sys.argv[1:])
