"""The report of a match as one HTML page: static, self-contained and without scripts."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Final

from phantomgo.match import text
from phantomgo.match.scores import Scores

PAGE: Final = "index.html"
"""The file of the page, in the folder of a tournament."""
REFRESH_SECONDS: Final = 10
"""Seconds after which a browser reloads the page while games are being played."""


def page(report: Scores, *, running: bool) -> str:
    """The page; while games are being played, it loads itself again."""
    style = (files("phantomgo.match") / "page.css").read_text(encoding="utf-8")
    title, _, conditions = report.what.partition(": ")
    refresh = f'<meta http-equiv="refresh" content="{REFRESH_SECONDS}">\n' if running else ""
    state = "" if running or len(report.results) == report.scheduled else ", ended"
    played = f"{len(report.results)} of {report.scheduled} games{state}"
    sections = [
        ("", text.rating_list(report)),
        ("Points of games", text.cross_table(report)),
        ("Likelihood of superiority, in percent", text.los_matrix(report)),
        ("Games lost by faults, and forfeited", text.faults(report)),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{refresh}'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n<p>{escape(conditions)}<br>{played}</p>\n"
        + "".join(_section(heading, rows) for heading, rows in sections if rows)
        + f"<h2>Games</h2>\n<pre>{escape(chr(10).join(text.totals(report)))}</pre>\n"
        "</main>\n</body>\n</html>\n"
    )


def _section(heading: str, rows: Sequence[Sequence[str]]) -> str:
    head = f"<h2>{escape(heading)}</h2>\n" if heading else ""
    names = text.lefts(rows[0])
    body = "".join(_row("td" if number else "th", row, names) for number, row in enumerate(rows))
    return f'{head}<div class="scroll" tabindex="0"><table>\n{body}</table></div>\n'


def _row(tag: str, cells: Sequence[str], names: Sequence[bool]) -> str:
    shown = ""
    for cell, name in zip(cells, names, strict=True):
        kind = tag if cell else "td"  # an empty heading is none
        left = ' class="name"' if name else ""
        shown += f"<{kind}{left}>{escape(cell)}</{kind}>"
    return f"<tr>{shown}</tr>\n"
