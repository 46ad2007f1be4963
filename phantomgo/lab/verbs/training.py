"""Training: lessons, and nets."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from bots.nets import NEWEST, Net, read_net, write_net
from phantomgo.checks import whole
from phantomgo.errors import BadText, MissingExtra
from phantomgo.files import PACKAGE, named_file
from phantomgo.lab.records import records
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.workers import HERE, Crew, Run
from phantomgo.lab.seat import Named, spec_of
from phantomgo.lab.teaching.lessons import OLYMPIAD, LessonPlan, gather, lessons_in, positions_of
from phantomgo.lab.teaching.positions import GamePositions, of_each, positions_in
from phantomgo.rules import Rules

CHANNELS: Final = 24
LAYERS: Final = 4
SUBJECTS: Final = ("stones", "judge")


def give_lessons(
    *,
    black: Named = "phantom:book=none",
    white: Named = "phantom:book=none",
    games: int = 100,
    size: int = 9,
    komi: float | None = None,
    net: str = NEWEST,
    seed: int = 0,
    run: Run = HERE,
) -> None:
    """Play games, and label every position with a full-information search.

    Args:
        black: the first player.
        white: the second player.
        games: games to play; must be even.
        size: points per side.
        komi: points for White (default: the profile's).
        net: the belief net that draws the worlds of first rounds.
        seed: seed from which all others are derived.
        run: the workers, the store of the games, and the receiver of progress.

    Raises:
        BadText: a player or number is not one.
        BadStore: the store cannot be used, or is of other games.
        Stopped: the games cannot be finished.
        Interrupted: by Ctrl-C; games that were being played are saved.
    """
    rules = Rules.profile(OLYMPIAD, size=size, komi=komi)
    plan = LessonPlan.between((spec_of(black), spec_of(white)), games, seed, rules, net)
    with (
        run.begin() as workers,
        Store(run.store, plan.players, plan.terms) as kept,
        run.progress.stage("games", games) as advance,
    ):
        gather(plan, kept, workers, run.progress, advance)


def train_net(
    subject: str,
    games: Sequence[str],
    *,
    out: str | Path,
    channels: int | None = None,
    layers: int | None = None,
    begin: str | None = None,
    net: str | None = None,
    steps: int = 12_000,
    crew: Crew = HERE,
) -> Net:
    """Train a net on recorded games, and write its file.

    Args:
        subject: what the net predicts: `stones`, where hidden stones stand, or `judge`, how good
            candidates are.
        games: for stones, stores of matches or records; for a judge, stores of lessons.
        out: write the net to this file, NAME.json.
        channels: channels per layer (default: 24).
        layers: layers of the net (default: 4).
        begin: fine-tune this net instead of starting from a new one.
        net: the belief net that shows a judge the hidden stones (default: the newest).
        steps: training steps.
        crew: the workers, and the receiver of progress.

    Raises:
        BadText: a subject, name or number is not one, or there are too few games.
        BadNet: the net to begin with cannot be read.
        MissingExtra: PyTorch is not installed.
    """
    if subject not in SUBJECTS:
        raise BadText(f"subject {subject[:40]!r} is not one of {', '.join(SUBJECTS)}")
    whole("steps", steps, 1)
    file = net_file(out)
    begun: Net | list[int]
    if begin is None:
        width = whole("channels", CHANNELS if channels is None else channels, 1, 1024)
        begun = [width] * whole("layers", LAYERS if layers is None else layers, 1, 100)
    elif channels is not None or layers is not None:
        raise BadText("a net to begin with has its channels and layers already")
    else:
        begun = read_net(begin, None)
    work: Callable[[str], GamePositions]
    if subject == "judge":
        texts = [text for path in games for text in lessons_in(path)]
        work = partial(positions_of, net=net or NEWEST)
    elif net is not None:
        raise BadText("a belief net is for a judge")
    else:
        texts = [text for path in games for _, text in records(path)]
        work = positions_in
    train = trainer()
    with (
        crew.begin() as workers,
        crew.progress.stage("games replayed", len(texts)) as advance,
    ):
        replayed = of_each(work, texts, workers, advance)
    with crew.progress.stage("steps", steps) as advance:
        trained = train(file.stem, subject, replayed, begun, steps, advance)
    write_net(trained, file)
    return trained


def trainer() -> Callable[..., Net]:
    """The function that trains a net.

    Raises:
        MissingExtra: PyTorch is not installed.
    """
    try:
        from phantomgo.lab.teaching.training import train  # noqa: PLC0415  (an optional extra)
    except ImportError as error:
        raise MissingExtra("train", "torch", "train") from error
    return train


def net_file(out: str | Path) -> Path:
    """The file that a net is to be written to.

    Raises:
        BadText: it is not called NAME.json, or would be among the nets that are bundled.
    """
    if Path(out).resolve().is_relative_to(PACKAGE.parent / "bots"):
        raise BadText(f"net {str(out)[:60]!r} is inside the package, which no command writes into")
    return named_file("net", out)
