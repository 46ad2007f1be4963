"""`phantomgo store`: inspect stores of games and matrices, and pack stores as matrices."""

from collections.abc import Mapping, Sequence
from typing import Final

from bots.online import learner_summaries
from phantomgo.app.command import Action, of_actions, of_command, print_json
from phantomgo.app.summaries import matrix_summary
from phantomgo.errors import BadText
from phantomgo.files import output_file
from phantomgo.game.wording import counted
from phantomgo.lab.run.store import Store
from phantomgo.lab.seeds import seed_store
from phantomgo.portfolio.packed import MAX_SEEDS, matrix_names, read_matrix, write_matrix
from phantomgo.terminal import say
from phantomgo.values import checked_int


def show(store: str | None = None, *, json: bool = False) -> None:
    """Print the players, the terms and the number of games.

    Args:
        store: a store, or a matrix by name or NAME.json (default: all shipped matrices).
        json: print JSON.
    """
    if store is None or store in matrix_names() or store.endswith(".json"):
        _show_matrices(matrix_names() if store is None else [store], as_json=json)
        return
    with Store(store) as kept:
        number, void = len(kept.games()), kept.voids()
        players, terms = kept.players, kept.terms
    if json:
        header = {"players": [player.as_dict() for player in players], "terms": terms}
        print_json({**header, "games": number, "void": void})
        return
    say(" against ".join(player.name for player in players))
    say(", ".join(f"{key} {value}" for key, value in terms.items() if value not in (None, "")))
    say(f"{number} games, {void} void")


def learned(state: str, *, json: bool = False) -> None:
    """Print what a bot that learns online has learned.

    Args:
        state: the state file of an `online:` bot.
        json: print JSON.
    """
    learners = learner_summaries(state)
    if json:
        print_json(learners)
        return
    for learner in learners:
        rules = learner["rules"]
        board = f"{rules['size']}x{rules['size']}, komi {rules['komi']:g}"
        stones = f", handicap {' '.join(learner['handicap'])}" if "handicap" in learner else ""
        played = counted(learner["games"], "game")
        say(f"{learner['colour']}, {board}{stones}: {played}, won {learner['won']:g}")
        for arm in learner["arms"]:
            say(f"  {arm['won']:g} of {arm['games']}  {arm['arm']}")


def pack(
    matrix: str, *, store: str, seeds: int | None = None, opponent_seeds: int | None = None
) -> None:
    """Write the games of a store of seeds as a matrix.

    Args:
        matrix: the file to write, NAME.json.
        store: the store of games.
        seeds: own seeds (default: the largest square).
        opponent_seeds: opponent seeds (default: as many as own seeds).
    """
    file = output_file("matrix", matrix)
    for what, number in (("seeds", seeds), ("opponent seeds", opponent_seeds)):
        if number is not None:
            checked_int(what, number, 1, MAX_SEEDS)
    with seed_store.SeedStore(store) as kept:
        if kept.lines:
            raise BadText(f"{store} has lines that end before the game; a matrix needs whole games")
        packed = seed_store.pack(kept, file.stem, *kept.sizes(seeds, opponent_seeds))
    write_matrix(packed, file)
    say(matrix_summary(packed))


def _show_matrices(wanted: Sequence[str], *, as_json: bool) -> None:
    """Print who played in matrices, and how many games."""
    matrices = [read_matrix(name) for name in wanted]
    if not as_json:
        say("\n".join(map(matrix_summary, matrices)))
        return
    table = {
        packed.name: {
            **packed.setup.as_dict(),
            "seeds": packed.won.own,
            "opponent_seeds": packed.won.opponents,
            **packed.counts._asdict(),
            "matrix": packed.scores.digest(),
        }
        for packed in matrices
    }
    print_json(table)


ACTIONS: Final[Mapping[str, Action]] = {
    "show": (of_command(show), "print the players, terms and number of games of a store or matrix"),
    "pack": (of_command(pack), "write the games of a store of seeds as a matrix"),
    "learned": (of_command(learned), "print what a bot that learns online has learned"),
}
configure = of_actions(ACTIONS)
