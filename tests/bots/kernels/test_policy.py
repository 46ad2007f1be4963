"""The single-game board and the playout policies on it, move by move against the oracle."""

import numpy as np
import pytest

from bots import make
from bots.kernels import board, policy
from phantomgo.errors import BadText
from phantomgo.game import play_game
from phantomgo.outcome import Ending
from phantomgo.points import members
from phantomgo.rng import Stream
from phantomgo.rules import Rules
from tests.support.naive import OTHER, NaiveGo, is_true_eye
from tests.support.positions import kernel, positions
from tests.support.views import views

COLOURS = {"b": board.BLACK, "w": board.WHITE}


class Both:
    """The board under test and the oracle's, playing the same game."""

    def __init__(self, size: int, seed: int = 1) -> None:
        self.go, self.size, self.width = NaiveGo(size), size, size + 2
        self.board = board.empty_board()
        board.clear(self.board, size)
        self.board[board.STATE] = seed

    def cell(self, point) -> int:
        return (point[0] + 1) * self.width + point[1] + 1

    def point(self, cell: int):
        return cell // self.width - 1, cell % self.width - 1

    def moves(self, colour: str) -> set:
        """The oracle's legal moves."""
        points = self.go.points()
        return {p for p in points if not isinstance(self.go.copy().attempt(colour, p), str)}

    def agree(self) -> None:
        colours = {self.point(c): int(self.board[board.COLOUR + c]) for c in self.cells()}
        stones = {p: COLOURS[s] for p, s in self.go.stones.items()}
        assert {p: c for p, c in colours.items() if c} == stones
        assert self.board[board.COUNT] == len(colours) - len(stones)
        assert board.margin(self.board, self.width) == self.go.score()
        for point in self.go.stones:
            chain, liberties = self.go.chain(point)
            head = self.board[board.HEAD + self.cell(point)]
            assert self.point(head) in chain
            only = [self.cell(p) for p in liberties] if len(liberties) == 1 else [0]
            assert [board.last_liberty.py_func(self.board[board.BREATH + head])] == only
            assert self.board[board.STONES + head] == len(chain)

    def cells(self):
        return [self.cell(p) for p in self.go.points()]


@pytest.mark.parametrize(("size", "attempts"), [(2, 300), (3, 600), (5, 1500), (9, 1200), (19, 60)])
def test_every_attempt_has_the_oracles_answer(size, attempts):
    both, stream, colour = Both(size), Stream(size), "b"
    for number in range(attempts):
        point = list(both.go.points())[stream.below(size * size)]
        done = both.go.attempt(colour, point)
        allowed = board.legal(both.board, both.cell(point), COLOURS[colour], both.width)
        assert allowed == (not isinstance(done, str))
        captured = board.play(both.board, both.cell(point), COLOURS[colour], both.width)
        assert captured == (len(done) if allowed else -1)
        if allowed:
            colour = OTHER[colour]
        if number % 10 == 0:
            both.agree()


@pytest.mark.parametrize("size", [2, 4, 7])
def test_random_moves_are_legal_and_fill_no_eye(size):
    for seed in range(6):
        both, colour, passes = Both(size, seed), "b", 0
        for _ in range(3 * size * size):
            wanted = {p for p in both.moves(colour) if not is_true_eye(both.go, p, colour)}
            cell = board.play_random(both.board, COLOURS[colour], both.width)
            assert (cell == board.PASS) == (not wanted)
            passes = passes + 1 if cell == board.PASS else 0
            if cell == board.PASS:
                both.go.ko = None
            else:
                assert both.point(cell) in wanted
                both.go.attempt(colour, both.point(cell))
            both.agree()
            colour = OTHER[colour]
            if passes == 2:
                break


def test_random_moves_are_all_as_likely():
    count = dict.fromkeys([(r, c) for r in range(3) for c in range(3)], 0)
    for seed in range(2700):
        both = Both(3, seed)
        count[both.point(board.play_random(both.board, board.BLACK, both.width))] += 1
    assert all(240 < n < 360 for n in count.values())


def atari(go, colour):
    """For each stone of a colour whose chain has one liberty, that liberty."""
    found = {}
    for point, stone in go.stones.items():
        chain, liberties = go.chain(point)
        if stone == colour and len(liberties) == 1:
            found[point] = (chain, next(iter(liberties)))
    return found


def saving(both: Both, last, colour: str) -> set:
    """The moves that save chains next to the last move, found by trying."""
    found = set()
    mine, theirs = atari(both.go, colour), atari(both.go, OTHER[colour])
    for n in both.go.neighbours(last):
        if n not in mine:
            continue
        chain, liberty = mine[n]
        after = both.go.copy()
        after.stones[liberty] = colour  # captures are counted below
        if len(after.chain(liberty)[1]) >= 2:
            found.add(liberty)
        beside = {m for stone in chain for m in both.go.neighbours(stone)}
        found |= {theirs[m][1] for m in beside if m in theirs}
    return found & both.moves(colour)


def makes_pattern(both: Both, point) -> bool:
    """Whether the surroundings of a point are one of the patterns, any way round."""
    r, c = point
    seen = []
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            q = r + dr, c + dc
            inside = q in both.go.points()
            seen.append({"b": "X", "w": "O", None: "."}[both.go.stones.get(q)] if inside else "#")
    fits = {"X": "X", "O": "O", ".": ".", "#": "#", "x": ".O#", "o": ".X#", "?": ".XO#"}
    rotate = (6, 3, 0, 7, 4, 1, 8, 5, 2)
    mirror = (2, 1, 0, 5, 4, 3, 8, 7, 6)
    for colours in (seen, ["#.OX"["#.XO".index(s)] for s in seen]):
        for first in (colours, [colours[i] for i in mirror]):
            turned = first
            for _ in range(4):
                turned = [turned[i] for i in rotate]
                if any(
                    all(s in fits[sign] for s, sign in zip(turned, p.replace(" ", ""), strict=True))
                    for p in policy.PATTERNS
                ):
                    return True
    return False


def mogo_moves(both: Both, last, colour: str) -> tuple[str, set]:
    """What MoGo's policy may play, and why."""
    legal = both.moves(colour)
    no_eye = {p for p in legal if not is_true_eye(both.go, p, colour)}
    if last is not None:
        if saves := saving(both, last, colour):
            return "save", saves
        near = {(last[0] + i, last[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
        if shapes := {p for p in near & no_eye if makes_pattern(both, p)}:
            return "pattern", shapes
    if takes := legal & {liberty for _, liberty in atari(both.go, OTHER[colour]).values()}:
        return "take", takes
    return ("random", no_eye) if no_eye else ("pass", set())


@pytest.mark.parametrize(("size", "games"), [(3, 6), (5, 4), (7, 1)])
def test_mogo_moves_are_those_of_the_policy(size, games):
    moves, reasons = np.zeros(board.LENGTH, np.int64), set()
    for seed in range(games):
        both, colour, last = Both(size, seed), "b", None
        for _ in range(3 * size * size):
            reason, wanted = mogo_moves(both, last, colour)
            before = both.cell(last) if last else board.PASS
            cell = policy.play_mogo(
                both.board, before, COLOURS[colour], moves, policy.patterns(), both.width
            )
            assert (both.point(cell) in wanted) if wanted else cell == board.PASS, reason
            last = both.point(cell) if cell != board.PASS else None
            if last is None:
                both.go.ko = None
            else:
                both.go.attempt(colour, last)
            both.agree()
            reasons.add(reason)
            colour = OTHER[colour]
    assert reasons == {"save", "pattern", "take", "random", "pass"}


def play_out(position, candidates, patterns, passed=0, need=0):
    """Visits, wins, margins and all-moves-as-first counts of the kernel."""
    area = position.size**2
    sets = [
        np.isin(np.arange(area), list(members(points))).astype(np.uint8)
        for points in (position.own, position.enemy, position.open)
    ]
    counts = np.zeros((3, len(candidates)), np.int64)
    amaf = np.zeros((2, area), np.int64)
    policy.play_out(
        np.empty(policy.WORK, np.int64), patterns, position.size, *sets,
        position.hidden, need, passed,
        np.array(candidates, np.int64), np.arange(len(candidates)), 0, 77, *counts, True, *amaf,
    )  # fmt: skip
    return *counts, *amaf


def test_random_playouts_are_like_those_of_the_lanes():
    for position in list(positions(5, 11, 8)):
        position.weights = ()
        known = position.own | position.enemy
        candidate = next(p for p in range(25) if not known >> p & 1)
        candidates = [candidate] * 4000
        ours = play_out(position, candidates, np.zeros(0, np.uint8))
        _, margins, wins, _, amaf_visits, amaf_wins = kernel(position, candidates, 0, 5)
        assert abs(ours[1].mean() - np.mean(wins)) < 0.04
        assert abs(ours[2].mean() - np.mean(margins)) < 1
        assert np.abs(ours[3] - amaf_visits).max() < 160
        assert np.abs(ours[4] - amaf_wins).max() < 160


def test_a_pass_after_a_pass_scores_the_board_as_it_stands():
    for position in positions(5, 3, 12):
        position.hidden = 0
        score = position.naive().score()
        _, wins, margins, amaf, _ = play_out(position, [-1], policy.patterns(), 1, need=score)
        assert (wins[0], margins[0], amaf.sum()) == (0, score, 0)
        assert play_out(position, [-1], policy.patterns(), 1, need=score - 1)[1][0] == 1


def test_flatmc_plays_out_by_mogos_policy_if_told_to():
    spec = "flatmc:playouts=300,policy=mogo"
    bots = [make(spec, seed) for seed in range(10)]
    assert bots[0].name == spec
    view = views(7)["middle"]
    attempts = [bot.propose(view) for bot in bots]
    assert attempts == [make(f"{spec},threads=3", seed).propose(view) for seed in range(10)]
    assert attempts != [make("flatmc:playouts=300", seed).propose(view) for seed in range(10)]
    record = play_game(Rules(size=4), make("flatmc:playouts=30,policy=mogo", 1), bots[1])
    assert record.outcome.ending is Ending.SCORE


def test_a_policy_is_one_of_those_there_are():
    with pytest.raises(BadText, match="flatmc policy=light is not one of random, mogo"):
        make("flatmc:policy=light", 0)
