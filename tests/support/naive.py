"""The oracle: Go by sets and flood fill, slow and obvious, sharing no code with phantomgo.

Points are (row, column) pairs, colours are "b" and "w".
"""

from functools import cache

OTHER = {"b": "w", "w": "b"}


@cache
def neighbours(size):
    """The two to four neighbours of every point."""
    around = {}
    for r in range(size):
        for c in range(size):
            beside = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            around[r, c] = [(a, b) for a, b in beside if 0 <= a < size and 0 <= b < size]
    return around


class NaiveGo:
    """A Go position with simple ko and no suicide."""

    def __init__(self, size):
        self.size = size
        self.stones = {}
        self.ko = None  # (point, colour that may not play there)

    def copy(self):
        twin = NaiveGo(self.size)
        twin.stones, twin.ko = dict(self.stones), self.ko
        return twin

    def points(self):
        return neighbours(self.size).keys()

    def neighbours(self, point):
        return neighbours(self.size)[point]

    def chain(self, point):
        """The chain through a stone and its liberties."""
        colour, chain, liberties, todo = self.stones[point], {point}, set(), [point]
        around = neighbours(self.size)
        while todo:
            for q in around[todo.pop()]:
                if q not in self.stones:
                    liberties.add(q)
                elif self.stones[q] == colour and q not in chain:
                    chain.add(q)
                    todo.append(q)
        return chain, liberties

    def attempt(self, colour, point):
        """The captured stones, or the reason in words; the position changes if it is legal."""
        if point in self.stones:
            return "own" if self.stones[point] == colour else "occupied"
        if self.ko == (point, colour):
            return "ko"
        self.stones[point] = colour
        captured = set()
        for q in self.neighbours(point):
            if self.stones.get(q) == OTHER[colour]:
                chain, liberties = self.chain(q)
                if not liberties:
                    captured |= chain
        for q in captured:
            del self.stones[q]
        chain, liberties = self.chain(point)
        if not liberties:
            del self.stones[point]  # nothing was captured, or there would be a liberty
            return "suicide"
        self.ko = None
        if len(captured) == 1 and chain == {point} and liberties == captured:
            self.ko = (next(iter(captured)), OTHER[colour])
        return captured

    def score(self):
        """Black's area minus White's."""
        total, seen = 0, set()
        for point in self.points():
            if point in self.stones:
                total += 1 if self.stones[point] == "b" else -1
            elif point not in seen:
                region, touched, todo = {point}, set(), [point]
                while todo:
                    for q in self.neighbours(todo.pop()):
                        if q in self.stones:
                            touched.add(self.stones[q])
                        elif q not in region:
                            region.add(q)
                            todo.append(q)
                seen |= region
                if len(touched) == 1:
                    total += len(region) if touched == {"b"} else -len(region)
        return total


class NaiveStream:
    """SplitMix64, one stream per playout."""

    def __init__(self, key, number):
        self.state = self.mix(key + number * 0xD1342543DE82EF95)

    @staticmethod
    def mix(z):
        z %= 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        return self.mix(self.state)

    def below(self, bound):
        return (self.next() >> 32) * bound >> 32

    def draw(self, pool, weights):
        """A place in the pool, by the weights of its points (1 if there are none)."""
        rest = self.below(sum(weights.get(point, 1) for point in pool))
        for at, point in enumerate(pool):
            rest -= weights.get(point, 1)
            if rest < 0:
                return at
        raise AssertionError("the weights do not add up")


def is_true_eye(go, point, colour):
    """All neighbours own; fewer than two diagonals the enemy's, the edge counting as one."""
    if any(go.stones.get(q) != colour for q in go.neighbours(point)):
        return False
    r, c = point
    corners = [(r + dr, c + dc) for dr in (-1, 1) for dc in (-1, 1)]
    inside = [q for q in corners if q in go.points()]
    enemies = sum(go.stones.get(q) == OTHER[colour] for q in inside)
    return enemies + (len(inside) < 4) < 2


def deal(go, open_points, weights, hidden, candidate, stream):
    """Hide White stones one by one, leaving out those that leave a chain without liberty."""
    if weights and hidden and deal_by_odds(go, open_points, weights, hidden, candidate, stream):
        return
    pool = sorted(open_points)
    if candidate in pool:
        pool[pool.index(candidate)] = pool[-1]
        pool.pop()
    while hidden and pool:
        at = stream.draw(pool, weights)
        point, pool[at] = pool[at], pool[-1]
        pool.pop()
        go.stones[point] = "w"
        if all(go.chain(stone)[1] for stone in go.stones):
            hidden -= 1
        else:
            del go.stones[point]


def deal_by_odds(go, open_points, weights, hidden, candidate, stream):
    """Six times draw all White stones at once; whether a world was found and dealt.

    With k stones left for the points from i on, point i gets one with the chance that a world with
    a weight of the product of its stones' odds has one there.
    """
    points = sorted(open_points)
    hidden = min(hidden, len(points))
    table = chances([weights[point] for point in points], hidden)
    for _ in range(6):
        stones, left = set(), hidden
        for i, point in enumerate(points):
            if i % 4 == 0:
                number = stream.next()
            if left and number % 2**16 < table[i][left]:
                stones.add(point)
                left -= 1
            number >>= 16
        before = dict(go.stones)
        go.stones.update(dict.fromkeys(stones, "w"))
        if candidate not in stones and all(go.chain(stone)[1] for stone in go.stones):
            return True
        go.stones.clear()
        go.stones.update(before)
    return False


def chances(odds, stones):
    """By point and number of stones left from it on, the chance of one, as 16 bits."""
    ratios, table = [0.0] * (stones + 1), []
    for i, weight in reversed(list(enumerate(map(float, odds)))):
        left = range(1, min(stones, len(odds) - i) + 1)
        table.append({k: int(2**16 * (weight / (weight + ratios[k]))) for k in left})
        sums = [1.0, *(1.0 + weight / ratios[k - 1] for k in left if k > 1)]
        for k, total in zip(left, sums, strict=True):
            ratios[k] = (ratios[k] + weight) / total
    return table[::-1]


def random_move(go, colour, stream):
    """Candidates in random order until one is legal; None if none is."""
    points = [p for p in go.points() if p not in go.stones and (p, colour) != go.ko]
    points = [p for p in points if not is_true_eye(go, p, colour)]
    while points:
        point = points.pop(stream.below(len(points)))
        if not isinstance(go.attempt(colour, point), str):
            return point
    return None


def playout(go, open_points, weights, hidden, candidate, key, number, passes=0):
    """Play out a position for Black, who knows it but for White's hidden stones.

    Returns the margin, the number of moves, and the points Black played before White did.
    """
    stream = NaiveStream(key, number)
    deal(go, open_points, weights, hidden, candidate, stream)
    moves, first = [], {}
    colour = "b"
    while passes < 2 and len(moves) < 3 * go.size**2:
        if moves:
            move = random_move(go, colour, stream)
        else:
            legal = candidate is not None and not isinstance(go.attempt("b", candidate), str)
            move = candidate if legal else None
        if move is None:
            passes += 1
            go.ko = None
        else:
            passes = 0
            first.setdefault(move, colour)
        moves.append(move)
        colour = OTHER[colour]
    return go.score(), len(moves), {p for p, c in first.items() if c == "b"}
