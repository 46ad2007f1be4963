"""Results as PGN headers."""

from phantomgo.match.pgn import headers
from phantomgo.match.result import MatchGame

GAME = MatchGame(3, 1, 0, "b", "B+2.5", "score", 30, 4, 5, 20, 19, 0.1, 0.2, "0" * 16)


def test_a_game_is_dated_in_universal_time():
    new_year = 1_767_225_600.0  # 2026-01-01 00:00:00 UTC
    games = [GAME, GAME._replace(number=4), GAME._replace(number=5)]
    times = {3: new_year - 0.5, 4: new_year, 5: None}
    texts = list(headers(["A", 'B "2"'], "5x5", games, times))
    dates = [line for text in texts for line in text.splitlines() if line.startswith("[Date ")]
    assert dates == ['[Date "2025.12.31"]', '[Date "2026.01.01"]', '[Date "????.??.??"]']
    assert texts[0] == (
        '[Event "5x5"]\n[Site "?"]\n[Date "2025.12.31"]\n[Round "2.2"]\n[White "A"]\n'
        '[Black "B \\"2\\""]\n[Result "0-1"]\n[Termination "score"]\n\n0-1\n\n'
    )
