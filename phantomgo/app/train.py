"""`phantomgo train`: teach a net from games, and write its file.

`stones` learns where hidden stones stand, from the games of matches (`phantomgo match --store`);
`judge` how good candidates are, from lessons (`phantomgo lessons`). Training needs the extra
`train` (PyTorch); playing does not.
"""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import phantomgo
from bots.newest import NET
from phantomgo.app.crew import add_dask, crew
from phantomgo.app.numbers import natural
from phantomgo.app.progress import progress
from phantomgo.errors import BadText, MissingExtra
from phantomgo.lab.workers import checked_jobs, cores
from phantomgo.portfolio.shelf import NAME

if TYPE_CHECKING:
    from bots.nets import Net
    from phantomgo.lab.positions import GamePositions

CHANNELS: Final = 24
LAYERS: Final = 4


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("subject", choices=("stones", "judge"), help="what the net is to speak of")
    parser.add_argument(
        "games",
        nargs="+",
        metavar="FILE",
        help="stones: stores of matches, or records; judge: lessons",
    )
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
    add_dask(parser)
    parser.add_argument("--channels", type=natural, help=f"of a layer (default {CHANNELS})")
    parser.add_argument("--layers", type=natural, help=f"default {LAYERS}")
    parser.add_argument("--begin", metavar="NET", help="a net that learns on, not a new one")
    parser.add_argument(
        "--net", metavar="NET", help=f"by whose odds a judge is shown hidden stones (default {NET})"
    )
    parser.add_argument("--steps", type=natural, default=12_000, help="default 12000")
    parser.add_argument("--out", required=True, metavar="FILE", help="the net to write: NAME.json")


def run(arguments: argparse.Namespace) -> int:
    from bots.nets import read_net, write_net  # noqa: PLC0415  (compiled code, half a second)
    from phantomgo.lab.lessons import lessons_in, positions_of  # noqa: PLC0415
    from phantomgo.lab.positions import positions_in  # noqa: PLC0415
    from phantomgo.lab.records import records  # noqa: PLC0415
    from phantomgo.lab.replays import of_each  # noqa: PLC0415

    jobs = checked_jobs(arguments.jobs)
    out = net_path(arguments.out)
    begin: Net | list[int]
    if arguments.begin is None:
        begin = [arguments.channels or CHANNELS] * (arguments.layers or LAYERS)
    elif arguments.channels or arguments.layers:
        raise BadText("--begin NET has its channels and layers already")
    else:
        begin = read_net(arguments.begin, None)
    work: Callable[[str], GamePositions]
    if arguments.subject == "judge":
        texts = [text for path in arguments.games for text in lessons_in(path)]
        work = partial(positions_of, net=arguments.net or NET)
    elif arguments.net is not None:
        raise BadText("--net is for a judge")
    else:
        texts = [text for path in arguments.games for _, text in records(path)]
        work = positions_in
    train = trainer()
    with (
        crew(jobs, arguments.dask) as (workers, shown),
        shown.stage("games replayed", len(texts)) as advance,
    ):
        games = of_each(work, texts, workers, advance)
    with progress("steps", arguments.steps) as advance:
        net = train(out.stem, arguments.subject, games, begin, arguments.steps, advance)
    write_net(out, net)
    for name, figures in net.held_out.items():
        print(f"{name}: " + ", ".join(f"{key} {figure}" for key, figure in figures.items()))
    return 0


def trainer() -> Callable[..., "Net"]:
    """What trains a net.

    Raises:
        MissingExtra: PyTorch is not installed.
    """
    try:
        from phantomgo.lab.training import train  # noqa: PLC0415  (an optional extra)
    except ImportError as error:
        raise MissingExtra("train", "torch", "train") from error
    return train


def net_path(text: str) -> Path:
    """The file that a net is to be written to.

    Raises:
        BadText: it is not called NAME.json, or would be among the nets that are bundled.
    """
    path = Path(text)
    if path.suffix != ".json" or not NAME.fullmatch(path.stem):
        raise BadText(f"--out {text[:60]} is not NAME.json with NAME as in {NAME.pattern}")
    if path.resolve().is_relative_to(Path(phantomgo.__file__).parents[1] / "bots"):
        raise BadText(f"--out {text[:60]} is inside the package, which no command writes into")
    return path
