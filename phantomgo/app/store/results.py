"""`phantomgo store show`, `merge` and `learned`: what files hold, and several of them as one."""

from collections.abc import Sequence

from bots.experience import holdings
from phantomgo.app.command import print_json
from phantomgo.app.store.matrices import show_matrices
from phantomgo.lab.merge import merge as merge_stores
from phantomgo.lab.run.store import Store
from phantomgo.portfolio.packed import matrix_names
from phantomgo.wording import counted


def show(store: str, *, json: bool = False) -> None:
    """Print who played, on what terms, and how many games there are.

    Args:
        store: a store, or a matrix by name or NAME.json.
        json: print JSON.
    """
    if store in matrix_names() or store.endswith(".json"):
        show_matrices([store], as_json=json)
        return
    with Store(store) as kept:
        games, void, claimed = len(kept.games()), kept.voids(), kept.playing()
        players, terms = kept.players, kept.terms
    if json:
        found = {"players": [player.as_dict() for player in players], "terms": terms}
        print_json({**found, "games": games, "void": void, "claimed": claimed})
        return
    print(" against ".join(player.name for player in players))
    print(", ".join(f"{key} {value}" for key, value in terms.items()))
    print(f"{games} games, {void} void, {claimed} being played")


def merge(into: str, stores: Sequence[str]) -> None:
    """Add the games of stores to a store.

    Args:
        into: where they go; made if missing.
        stores: where they come from.
    """
    print(f"{into}: {counted(merge_stores(into, stores), 'new game')}")


def learned(state: str, *, json: bool = False) -> None:
    """Print what a bot that learns online has learned.

    Args:
        state: the state file of an online: bot.
        json: print JSON.
    """
    found = holdings(state)
    if json:
        print_json(found)
        return
    for learner in found:
        rules = learner["rules"]
        board = f"{rules['size']}x{rules['size']}, komi {rules['komi']:g}"
        games = counted(learner["games"], "game")
        print(f"{learner['colour']}, {board}: {games}, won {learner['won']:g}")
        for arm in learner["arms"]:
            print(f"  {arm['won']:g} of {arm['games']}  {arm['arm']}")
