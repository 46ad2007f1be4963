"""`phantomgo warm`: kernels compiled before they are needed."""

from phantomgo.app.cli import main


def test_each_bot_on_each_board_is_got_ready(capsys, monkeypatch):
    done = []
    monkeypatch.setattr("phantomgo.app.warm.get_ready", lambda *asked: done.append(asked))
    assert main(["warm", "random", "flatmc:playouts=5", "--sizes", "5", "8"]) == 0
    asked = [(bot, game.rules.size, game.rules.komi) for bot, game in done]
    games = [(5, 7.5), (5, 2.5), (8, 7.5), (8, 3.5)]
    assert asked == [(bot, *game) for bot in ("random", "flatmc:playouts=5") for game in games]
    assert "bots made ready: 4 of 4" in capsys.readouterr().err
