"""Results as PGN headers, for programs that rate chess players: Ordo, BayesElo."""

from collections.abc import Iterator, Sequence

from phantomgo.match.result import MatchGame


def headers(names: Sequence[str], what: str, results: Sequence[MatchGame]) -> Iterator[str]:
    """A PGN game without moves for each result. PGN names White's result first."""
    for game in results:
        score = {"w": "1-0", "b": "0-1", None: "1/2-1/2"}[game.winner]
        tags = {
            "Event": what,
            "Site": "?",
            "Date": "????.??.??",
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
