"""The report of a match: its results as text and as JSON."""

import math
from collections import Counter
from typing import Any

from phantomgo.estimates import Interval, wilson
from phantomgo.match.scores import Scores, mean
from phantomgo.match.stats import elo_interval, superiority
from phantomgo.match.text import AT_FAULT, tables


class Report(Scores):
    """The results of a match: `print` shows its tables."""

    def __str__(self) -> str:
        """The tables, without a line end."""
        return tables(self)

    def as_dict(self) -> dict[str, Any]:
        """The report as data for JSON. Infinite and unknown numbers are None."""
        return {
            "match": self.what,
            "games": len(self.results),
            "scheduled": self.scheduled,
            "players": [
                {
                    "name": name,
                    **vars(self.tally(number)),
                    "rate": _finite(wilson(self.tally(number).points, self.tally(number).games)),
                    "black": vars(self.tally(number, black=True)),
                    "white": vars(self.tally(number, black=False)),
                    "refused_per_game": _number(self.tries(number)),
                    **({"spec": self.specs[number]} if self.specs else {}),
                    **({"data": dict(self.data[number])} if self.data else {}),
                }
                for number, name in enumerate(self.names)
            ],
            "pairings": [self._pairing(pairing) for pairing in self.pair_counts],
            "black_won": sum(game.winner == "b" for game in self.results),
            "white_won": sum(game.winner == "w" for game in self.results),
            "moves_per_game": _number(mean(game.moves for game in self.results)),
            "endings": dict(sorted(Counter(game.ending for game in self.results).items())),
            **({"failures": dict(self.reasons)} if self.reasons else {}),
            "duplicates": self.duplicates,
            "voids": self.voids,
            **(self._rated() if len(self.names) > 2 else {}),
            **self._failed(),
            "measured": {
                "seconds_per_attempt": [_number(self.seconds(i)) for i in range(len(self.names))]
            },
        }

    def _rated(self) -> dict[str, Any]:
        ratings, players = self.ratings, range(len(self.names))
        return {
            "ratings": [
                {
                    "name": self.names[player],
                    "elo": _number(float(ratings.elo[player])),
                    "error": _number(ratings.error(player)),
                    "lost_by": {
                        ending: count
                        for ending, count in sorted(self.faults[player].items())
                        if ending in AT_FAULT
                    },
                }
                for player in ratings.order
            ],
            "superiority": [
                [_number(ratings.superiority(one, other)) for other in players] for one in players
            ],
            "black_advantage": _finite(ratings.advantage),
        }

    def _failed(self) -> dict[str, Any]:
        if not self.forfeits:
            return {}
        forfeits = {self.names[player]: count for player, count in sorted(self.forfeits.items())}
        return {"forfeits": forfeits, "set_aside": [self.names[p] for p in sorted(self.aside)]}

    def _pairing(self, pairing: tuple[int, int]) -> dict[str, Any]:
        counts = self.pair_counts[pairing]
        found: dict[str, Any] = {
            "players": list(pairing),
            "pairs": counts,
            "elo": _finite(elo_interval(counts)),
            "superiority": superiority(counts),
        }
        if self.sprt is not None:
            found["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "verdict": self.sprt.verdict(counts).value,
                "why": self.sprt.sentence(counts),
            }
        return found


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _finite(interval: Interval) -> dict[str, float | None]:
    return {key: _number(value) for key, value in interval._asdict().items()}
