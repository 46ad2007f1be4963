"""`phantomgo warm`: kernels compiled before they are needed."""

from phantomgo.app.cli import main


def test_each_bot_on_each_board_is_got_ready(capsys):
    assert main(["warm", "random", "flatmc:playouts=5", "--sizes", "5", "8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ready after ")[0] for line in lines] == [
        "random on 5x5", "random on 8x8", "flatmc:playouts=5 on 5x5", "flatmc:playouts=5 on 8x8",
    ]  # fmt: skip
