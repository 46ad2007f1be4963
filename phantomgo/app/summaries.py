"""Books and matrices in a few words."""

from phantomgo.points import Colour
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.packed import Packed
from phantomgo.wording import counted


def book_summary(book: Book) -> str:
    """A book in a few lines."""
    training, rules = book.training, book.setup.rules
    games, won, drawn = training.games, training.black_wins, training.draws
    lines = [
        f"{book.name}: {training.method} over {counted(training.seeds, 'seed')},"
        f" {rules.size}x{rules.size}, komi {rules.komi:g}, {book.setup.profile}",
        f"  {counted(games, 'game')}, of which Black won {100 * won / games:.1f} %"
        f" and {100 * drawn / games:.1f} % were drawn",
    ]
    for colour in Colour:
        side = book.side(colour)
        lines.append(
            f"  {colour} {book.player(colour)}: {counted(len(side.seeds), 'seed')},"
            f" at least {100 * side.value:.1f} % against each training seed"
        )
    if book.evaluation is not None:
        fresh = counted(book.evaluation.seeds, "fresh seed")
        lines.append(f"  against {fresh} per colour, winning rate in %")
        for score in book.evaluation.scores:
            lines.append(
                f"    K'={score.exploiter:<3d} {100 * score.rate:5.1f}"
                f"   (standard deviation over their draws {100 * score.deviation:.1f})"
            )
    return "\n".join(lines)


def matrix_summary(packed: Packed) -> str:
    """A matrix on one line."""
    counts, seeds = packed.counts, counted(packed.won.own, "seed")
    if packed.won.opponents != packed.won.own:
        seeds += f" against {packed.won.opponents}"
    drawn = f", {100 * counts.draws / counts.games:.1f} % drawn" if counts.draws else ""
    won = f"Black won {100 * counts.black_wins / counts.games:.1f} %{drawn}"
    games = counted(counts.games, "game")
    return f"{packed.name}: {packed.setup.title}; {seeds}, {games}, {won}"
