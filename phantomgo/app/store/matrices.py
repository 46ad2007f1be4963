"""`phantomgo store pack`, `unpack` and `matrices`: games as a small file to keep, and back."""

from collections.abc import Sequence

from phantomgo.app.command import print_json
from phantomgo.app.summaries import matrix_summary
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.files import named_file
from phantomgo.lab import seeds as games
from phantomgo.lab.seeds import SeedStore
from phantomgo.portfolio.packed import MAX_SEEDS, matrix_names, read_matrix, write_matrix


def pack(
    matrix: str, *, store: str, seeds: int | None = None, opponent_seeds: int | None = None
) -> None:
    """Write the games of a store of seeds as a matrix.

    Args:
        matrix: the file to write, NAME.json.
        store: the games.
        seeds: own seeds (default: the largest square).
        opponent_seeds: opponent seeds (default: as many).

    Raises:
        BadText: a number is out of range, games are missing, or the seeds are left.
    """
    file = named_file("matrix", matrix)
    for what, number in (("seeds", seeds), ("opponent seeds", opponent_seeds)):
        if number is not None:
            whole(what, number, 1, MAX_SEEDS)
    with SeedStore(store) as kept:
        if kept.leave:
            raise BadText(f"{store} is of seeds that are left, which matrices are not")
        packed = games.pack(kept, file.stem, *kept.sizes(seeds, opponent_seeds))
    write_matrix(packed, file)
    print(matrix_summary(packed))


def unpack(matrix: str, *, store: str) -> None:
    """Put a matrix's games into a store.

    Args:
        matrix: its name, or a .json file.
        store: where they go.
    """
    packed = read_matrix(matrix)
    with SeedStore(store, packed.setup) as kept:
        games.unpack(packed, kept)
    print(matrix_summary(packed))


def matrices(*, json: bool = False) -> None:
    """List the shipped matrices.

    Args:
        json: print JSON.
    """
    show_matrices(matrix_names(), as_json=json)


def show_matrices(wanted: Sequence[str], *, as_json: bool) -> None:
    """Print who played in matrices, and how many games."""
    found = [read_matrix(name) for name in wanted]
    if not as_json:
        for packed in found:
            print(matrix_summary(packed))
        return
    table = {
        packed.name: {
            **packed.setup.as_dict(),
            "seeds": packed.won.own,
            "opponent_seeds": packed.won.opponents,
            **packed.counts._asdict(),
            "matrix": packed.won.digest(),
        }
        for packed in found
    }
    print_json(table)
