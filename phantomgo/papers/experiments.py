"""The experiments of `phantomgo reproduce`."""

from collections.abc import Callable
from importlib import import_module
from typing import Final, NamedTuple

from phantomgo.papers.report import Findings
from phantomgo.papers.scope import Scope


class Experiment(NamedTuple):
    """An experiment of a paper.

    Attributes:
        paper: the paper and its tables and figures.
        place: the module and function that run it.
        hours: core hours at its usual size.
        whole: core hours at the paper's size; infinite if unknown.
        batches: batches of games that it plays, each with a share of the time; 0 if it plays none.
    """

    paper: str
    place: str
    hours: float
    whole: float
    batches: int = 0

    def run(self, scope: Scope) -> Findings:
        """Play the games and return the findings."""
        module, _, name = self.place.partition(":")
        function: Callable[[Scope], Findings] = getattr(
            import_module(f"phantomgo.papers.{module}"), name
        )
        scope.batches = max(1, self.batches)
        report = function(scope)
        report.missing = scope.missing
        return report


EXPERIMENTS: Final = {
    "table1": Experiment("CIG 2016: Table I", "seeds:table1", 0.05, 1),
    "figures": Experiment("CIG 2016: Figures 1 and 2", "seeds:figures", 0.2, 4),
    "portfolios": Experiment("Reinforcing: Table I", "seeds:portfolios", 1.2, 20, 3),
    "offline": Experiment("Reinforcing: Figures 2 to 5", "seeds:offline", 1.2, 20, 3),
    "online": Experiment("Reinforcing: Figures 6 to 8", "bandits:online", 0.02, 0.5),
    "crossed": Experiment("Reinforcing: Figures 10 and 11", "seeds:crossed", 1.2, 20, 3),
    "variants": Experiment("Reinforcing: Table I, row Variants", "gnugo:variants", 0.5, 35, 1),
    "transfer": Experiment(
        "Reinforcing: Table II; Fast seeds: Table 2", "gnugo:transfer", 0.4, 3, 11
    ),
    "judged": Experiment("Reinforcing: Figure 9; Fast seeds: Figure 5", "gnugo:judged", 0.4, 2, 2),
    "discounted": Experiment(
        "Reinforcing: further work, UCBT that forgets", "bandits:discounted", 0.02, 0.02
    ),
    "approximate": Experiment(
        "Reinforcing, CIG 2016: Grigoriadis and Khachiyan", "bandits:approximate", 0.02, 0.02
    ),
    "rectangles": Experiment(
        "Fast seeds: Table 3, Figures 1 to 4", "seeds:rectangles", 0.6, 40, 10
    ),
    "exp3": Experiment("Fast seeds: Table 1", "bandits:exp3_table", 0.3, 1.5, 5),
    "widening": Experiment(
        "Fast seeds: UCB, and Exp3 with widening and removal", "bandits:widening", 0.3, 5, 3
    ),
    "twolevel": Experiment("Thesis: Tables 1 and 2", "thesis:two_levels", 0.8, 6, 12),
    "levels": Experiment("Thesis: Table 3", "thesis:levels", 0.5, 4, 9),
    "moves": Experiment("Coevolution: sections 2.1 and 3", "coevolution:moves", 0.2, 0.2, 5),
    "longer": Experiment("Coevolution: section 2.2", "coevolution:longer", 0.3, 0.3, 7),
    "growth": Experiment("Coevolution: Figures 1 and 2", "coevolution:growth", 0.2, 0.2, 2),
}
"""Experiments, grouped by paper, under the names that `phantomgo reproduce` takes."""
