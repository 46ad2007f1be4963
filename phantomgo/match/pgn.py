"""Results as PGN headers, for programs that rate chess players: Ordo, BayesElo."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from phantomgo.match.result import MatchGame


def headers(
    names: Sequence[str], what: str, results: Sequence[MatchGame], times: Mapping[int, float | None]
) -> Iterator[str]:
    """Yield a PGN game without moves for each result of the event `what`.

    `times` says when each game ended, by its number, in seconds since 1970; None if unknown.
    """
    for game in results:
        at = times.get(game.number)
        score = {"w": "1-0", "b": "0-1", None: "1/2-1/2"}[game.winner]
        tags = {
            "Event": what,
            "Site": "?",
            "Date": "????.??.??" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y.%m.%d}",
            "Round": f"{game.number // 2 + 1}.{game.number % 2 + 1}",
            "White": names[game.white],
            "Black": names[game.black],
            "Result": score,
            "Termination": game.ending,
        }
        lines = [f'[{tag} "{_quoted(value)}"]' for tag, value in tags.items()]
        yield "\n".join([*lines, "", score, "", ""])


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
