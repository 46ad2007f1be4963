"""Teaching: lessons, nets, best responses, weights by outcomes, and curves of winning."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import bots
from bots.nets import NONE, Net, read_net, write_net
from bots.phantom import BEST, JUDGE, NEWEST, Phantom
from phantomgo.checks import whole
from phantomgo.errors import BadText, MissingExtra
from phantomgo.files import PACKAGE, named_file, try_target, write_whole
from phantomgo.lab.identity import identify
from phantomgo.lab.records import records
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.workers import checked_jobs, crew
from phantomgo.lab.seat import Named, hint_at_komi, spec_of
from phantomgo.lab.teaching.curves import LEAST, Fitted, fitted, judged_in
from phantomgo.lab.teaching.gradient import Gradient
from phantomgo.lab.teaching.lessons import OLYMPIAD, LessonPlan, gather, lessons_in, positions_of
from phantomgo.lab.teaching.outcomes import Course, Teacher
from phantomgo.lab.teaching.positions import GamePositions, origins, positions_in
from phantomgo.lab.teaching.replays import of_each
from phantomgo.lab.teaching.response import Response
from phantomgo.lab.teaching.spsa import Spsa
from phantomgo.lab.teaching.taught import Taught
from phantomgo.match.report import Report
from phantomgo.rng import MAX_SEED, checked_seed
from phantomgo.rules import Rules
from phantomgo.version import __version__

CHANNELS: Final = 24
LAYERS: Final = 4
TEACHERS: Final = ("spsa", "gradient")
SUBJECTS: Final = ("stones", "judge")
LEARNER: Final = f"phantom:net={NEWEST},judge={JUDGE},trust=300"
"""The default learner of best responses."""


def give_lessons(
    *,
    black: Named = "phantom:book=none",
    white: Named = "phantom:book=none",
    games: int = 100,
    size: int = 9,
    komi: float | None = None,
    net: str = NEWEST,
    seed: int = 0,
    jobs: int = 1,
    dask: str | None = None,
    store: str | Path | None = None,
    progress: Progress = SILENT,
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
        jobs: games to play in parallel.
        dask: play on a Dask cluster: its scheduler's address, or `local:N` for N local workers.
        store: keep the lessons in this file; the same command resumes from it.
        progress: receives reports of progress.

    Raises:
        BadText: a player or number is not one.
        BadStore: the store cannot be used, or is of other games.
        Stopped: the games cannot be finished.
        Interrupted: by Ctrl-C; games that were being played are saved.
    """
    rules = Rules.profile(OLYMPIAD, size=size, komi=komi)
    plan = LessonPlan.between((spec_of(black), spec_of(white)), games, seed, rules, net)
    with (
        crew(jobs, dask, progress, store) as workers,
        Store(store, plan.players, plan.terms) as kept,
        progress.stage("games", games) as advance,
    ):
        gather(plan, kept, workers, progress, advance)


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
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress = SILENT,
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
        jobs: games to replay in parallel.
        dask: replay the games on a Dask cluster: its scheduler's address, or `local:N` for N local
            workers.
        progress: receives reports of progress.

    Raises:
        BadText: a subject, name or number is not one, or there are too few games.
        BadNet: the net to begin with cannot be read.
        MissingExtra: PyTorch is not installed.
    """
    if subject not in SUBJECTS:
        raise BadText(f"subject {subject[:40]!r} is not one of {', '.join(SUBJECTS)}")
    whole("steps", steps, 1)
    checked_jobs(jobs)
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
        crew(jobs, dask, progress) as workers,
        progress.stage("games replayed", len(texts)) as advance,
    ):
        replayed = of_each(work, texts, workers, advance)
    with progress.stage("steps", steps) as advance:
        trained = train(file.stem, subject, replayed, begun, steps, advance)
    write_net(trained, file)
    return trained


def respond(
    bot: Named,
    *,
    learner: str = LEARNER,
    size: int = 9,
    komi: float | None = None,
    rounds: int = 1,
    games: int = 1000,
    steps: int = 2000,
    test: int = 1000,
    seed: int = 1,
    jobs: int = 1,
    dask: str | None = None,
    store: str | Path,
    progress: Progress = SILENT,
) -> Report:
    """Teach a player to beat one bot, and measure what they win: a best response.

    Args:
        bot: the bot to beat; it does not learn.
        learner: a `phantom` with a belief net and a judge, both of which are fine-tuned.
        size: points per side.
        komi: points for White (default: the profile's).
        rounds: rounds of games and training.
        games: games in each round; must be even.
        steps: training steps of each net in a round.
        test: final games, which measure the result; must be even.
        seed: seed from which all others are derived.
        jobs: games to play in parallel.
        dask: the address of a Dask cluster whose machines all see the store, or `local:N`.
        store: keep games and nets in this folder; the same command resumes from it.
        progress: receives reports of progress.

    Raises:
        BadText: a player or number is not one, or the folder has other games.
        BadNet: a net cannot be read or written.
        MissingExtra: PyTorch is not installed.
        Interrupted: by Ctrl-C; games that were being played are saved.
    """
    made = bots.make(learner, 0)
    if not isinstance(made, Phantom) or made.net == BEST or NONE in (made.net, made.judge):
        raise BadText(f"learner {learner[:60]} is not phantom:net=NET,judge=NET")
    for what, value in {"rounds": rounds, "games": games, "steps": steps, "test": test}.items():
        whole(what, value, 1)
    whole("seed", seed, 1, MAX_SEED)
    rules = Rules.profile(OLYMPIAD, size=size, komi=komi)
    hint_at_komi(rules, komi, progress)
    train = trainer()
    from phantomgo.lab.teaching.training import check  # noqa: PLC0415  (an optional extra)

    check(read_net(made.net), "stones")
    check(read_net(made.judge, None), "judge")
    with crew(jobs, dask, progress, store) as workers:
        response = Response(
            spec_of(bot), made, rules, games, steps, seed, Path(store), train, workers, progress
        )
        return response.measure(rounds, test)


def learn_from_outcomes(
    bot: Named = "phantom",
    *,
    teacher: str = "spsa",
    playouts: int = 700,
    size: int = 9,
    komi: float | None = None,
    steps: int = 30,
    games: int = 100,
    every: int = 5,
    test: int = 400,
    seed: int = 1,
    jobs: int = 1,
    dask: str | None = None,
    store: str | Path,
    progress: Progress = SILENT,
) -> Taught:
    """Move a player's weights, step by step, by who wins games.

    Args:
        bot: a `phantom` with a belief net and a judge, or with those that it chooses.
        teacher: `spsa` moves twelve weights, `gradient` those of the judge's last layer.
        playouts: playouts of a decision in all games.
        size: points per side.
        komi: points for White (default: the profile's).
        steps: steps to take; ten that win nothing end the course.
        games: games of each step; must be even.
        every: steps from one test against the initial player to the next.
        test: games of each test at most, as a sequential test may end it; must be even.
        seed: seed from which all others are derived.
        jobs: games to play in parallel.
        dask: play on a Dask cluster: its scheduler's address, or `local:N` for N local workers.
        store: keep games and nets in this folder; the same command resumes from it.
        progress: receives reports of progress.

    Raises:
        BadText: a player or number is not one, or the folder has other games.
        BadNet: a net cannot be read or written.
        Interrupted: by Ctrl-C; games that were being played are saved.
    """
    if teacher not in TEACHERS:
        raise BadText(f"teacher {teacher[:40]!r} is not one of {', '.join(TEACHERS)}")
    counts = {"steps": steps, "games": games, "every": every, "test": test}
    for what, value in counts.items():
        whole(what, value, 1)
    for what in ("games", "test"):
        if counts[what] % 2:
            raise BadText(f"{what} {counts[what]}: they come in pairs, so 2 or any even number")
    checked_seed(seed)
    rules = Rules.profile(OLYMPIAD, size=size, komi=komi)
    begun = _with_judge(spec_of(bot), size, playouts)
    hint_at_komi(rules, komi, progress)
    folder = Path(store)
    folder.mkdir(parents=True, exist_ok=True)
    players = (identify(begun.name, rules),)
    taught_by: Teacher = Spsa(begun, seed) if teacher == "spsa" else Gradient(begun)
    course = Course(taught_by, players, rules, steps, games, every, test, seed)
    with (
        crew(jobs, dask, progress, store) as workers,
        Store(folder / "games.db", players, course.terms) as kept,
    ):
        return course.learn(folder, kept, workers, progress)


def _with_judge(spec: str, size: int, playouts: int) -> Phantom:
    """The bot of a spec with its nets by name, and this number of playouts.

    Raises:
        BadText: it is not `phantom`, or has no judge on boards of this size.
    """
    made = bots.make(spec, 0)
    if not isinstance(made, Phantom) or not made.pure:
        raise BadText(f"bot {spec[:60]} is not phantom without a time")
    named = made.named(size)
    if NONE in (named.net, named.judge):
        raise BadText(f"bot {spec[:60]} has no judge on {size}x{size}")
    return replace(named, playouts=whole("playouts", playouts, 1), per_candidate=0)


def fit_value(
    games: Sequence[str],
    *,
    out: str | Path | None = None,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress = SILENT,
) -> dict[str, Fitted]:
    """Calibrate playout shares to winning probability, from recorded games.

    Args:
        games: stores of matches, or records, one on a line.
        out: write the curves to this file, in the format of bots/curves.json.
        jobs: games to judge in parallel.
        dask: judge the games on a Dask cluster: its scheduler's address, or `local:N` for N local
            workers.
        progress: receives reports of progress.

    Returns:
        The fitted curve of each kind of bot.

    Raises:
        BadText: there are too few games of our bots.
        OSError: a file cannot be read or written.
    """
    checked_jobs(jobs)
    if out is not None:
        try_target(Path(out))
    texts = [text for path in games for _, text in records(path)]
    with (
        crew(jobs, dask, progress) as workers,
        progress.stage("games judged", len(texts)) as advance,
    ):
        judged = of_each(judged_in, texts, workers, advance)
    found = fitted(judged)
    if not found:
        raise BadText(f"no bot of ours decides in {LEAST} of these games")
    if out is not None:
        made = {
            "learned_from": {
                "games": origins(sides[0].origin for sides in judged if sides),
                "phantomgo": __version__,
            },
            "log_loss": {
                kind: {"curve": fit.log_loss, "share": fit.raw_log_loss}
                for kind, fit in found.items()
            },
            "curves": {kind: fit.curve._asdict() for kind, fit in found.items()},
        }
        write_whole(Path(out), json.dumps(made, indent=1) + "\n")
    return dict(found)


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
