"""The oracle: Go by sets and flood fill, slow and obvious, sharing no code with phantomgo.

Points are (row, column) pairs, colours are "b" and "w".
"""

OTHER = {"b": "w", "w": "b"}


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
        return [(r, c) for r in range(self.size) for c in range(self.size)]

    def neighbours(self, point):
        r, c = point
        around = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
        return [(a, b) for a, b in around if 0 <= a < self.size and 0 <= b < self.size]

    def chain(self, point):
        """The chain through a stone and its liberties."""
        colour, chain, liberties, todo = self.stones[point], {point}, set(), [point]
        while todo:
            for q in self.neighbours(todo.pop()):
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
