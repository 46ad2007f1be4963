"""`phantomgo bench`: the speed of playouts, decisions and whole games on this machine."""

from collections.abc import Sequence
from pathlib import Path

from phantomgo.app.bench import report, versions
from phantomgo.app.bench.measure import measure
from phantomgo.app.bench.peers import parse_program
from phantomgo.app.command import of_command, print_json
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.points import MAX_SIZE, MIN_SIZE

SIZES = (5, 7, 9, 13, 19)


def bench(
    *,
    sizes: Sequence[int] = SIZES,
    repeats: int = 7,
    peers: bool = False,
    peer: Sequence[str] = (),
    against: str | None = None,
    json: bool = False,
) -> None:
    """Measure how fast playouts, decisions and games are, and print the figures.

    Args:
        sizes: points per side.
        repeats: samples per figure.
        peers: measure other programs, too, where they are installed.
        peer: measure this program, too, by its command, which contains {size} and {playouts}.
        against: time the same commands, in turn, with the version installed in this virtual
            environment; or put the figures beside those of FILE.json, which --json printed.
        json: print JSON.

    Raises:
        BadText: a number is out of range, or a program has no command.
    """
    for size in sizes:
        whole("size", size, MIN_SIZE, MAX_SIZE)
    whole("repeats", repeats, 1, 1000)
    programs = dict(parse_program(text) for text in peer)
    if against is not None and (peers or peer):
        raise BadText("--against compares versions, without other programs")
    if against is None:
        result = measure(sizes, repeats, others=peers, programs=programs)
        text = report.lines(result)
    elif against.endswith(".json"):
        earlier = versions.read(Path(against))
        result = measure(sizes, repeats)
        text = versions.beside(result, earlier)
    else:
        result = versions.compare(versions.program_of(against), sizes, repeats)
        text = versions.lines(result)
    if json:
        print_json(result)
    else:
        print("\n".join(text))


configure = of_command(bench)
