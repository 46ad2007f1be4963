"""All that one client of a table is shown, as a value: a page is drawn from it and nothing else.

Two games that give a client equal states send them the same bytes, so this state determines what
can leak. A client is notified exactly when their state has changed.
"""

from typing import NamedTuple

from phantomgo.app.table.review import NO_CHANCES, Chances
from phantomgo.app.table.scene import Scene
from phantomgo.game.points import Colour
from phantomgo.phrase import Phrase


class PlayerLine(NamedTuple):
    """A player, as one line of the page.

    Attributes:
        counts: their stones, as far as the client may know.
        hidden: the number that the client has not located; empty for their own stones.
        clock: seconds left when the turn began; None without a clock.
        running: their clock runs.
    """

    colour: Colour
    name: str
    counts: str
    hidden: str
    clock: float | None
    to_move: bool
    running: bool


SIDES = {"truth": Phrase("Full board"), "black": Phrase("Black"), "white": Phrase("White")}
"""The boards of a finished game, of which one is shown, and their labels."""


class ClientState(NamedTuple):
    """A page of a table.

    Attributes:
        role: who looks: `black`, `white`, `both`, `watch`, `referee`.
        rules: the board and the rules, in words.
        boards: titles and scenes; none behind a curtain.
        sides: Black and White.
        heading: whose turn it is, or who won.
        news: what the referee said last.
        log: all the referee has said, oldest first.
        answer: the reply to the client's last action, or a question before it is done.
        known: how much the client knows; attempts from an older page are rejected.
        press: the client may attempt now, on the last board.
        actions: what else they may do, by name.
        links: invitations to hand out: what for, and the path.
        moments: after the game, how many there are to step through; 0 before.
        side: after the game, whose board is shown: `truth`, `black` or `white`.
        line: the attempts that are tried in place of the one shown, as `D4.E5`.
        study: the lessons of the attempt shown; first what it was.
        chances: after the game, Black's win probabilities, once reviewed.
        decided: the moments that decided it: number, and what happened in words.
        mistakes: the costliest moves, likewise.
        summary: of both players: what is counted, Black's number, White's.
        sound: `turn`, `refused`, `capture`, `joined`, `end` or nothing.
        notice: what the title of the page says, also to somebody who looks at something else.
        next: the client's path at the rematch.
        offer: what one player asks of the other.
    """

    role: str
    rules: str
    boards: tuple[tuple[str, Scene], ...]
    sides: tuple[PlayerLine, ...]
    heading: str
    news: str
    log: tuple[str, ...]
    answer: str
    known: int
    press: bool
    actions: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()
    moments: int = 0
    side: str = ""
    line: str = ""
    study: tuple[str, ...] = ()
    chances: Chances = NO_CHANCES
    decided: tuple[tuple[int, str], ...] = ()
    mistakes: tuple[tuple[int, str], ...] = ()
    summary: tuple[tuple[str, int, int], ...] = ()
    sound: str = ""
    notice: str = ""
    next: str = ""
    offer: str = ""


class Button(NamedTuple):
    """An action's label, and the question that has to be answered by Yes before it is done."""

    label: str
    question: str = ""


BUTTONS = {
    "pass": Button(Phrase("Pass")),
    "resign": Button(Phrase("Resign"), Phrase("Resign the game?")),
    "takeback": Button(
        Phrase("Take back"),
        Phrase(
            "Take back your last move and the answer to it? You may do so once per game. Because"
            " you have learned what was hidden, the record will say that the game was played with"
            " a takeback."
        ),
    ),
    "mark": Button(Phrase("Mark guesses")),
    "clear": Button(Phrase("Clear guesses")),
    "belief": Button(Phrase("Where are they?")),
    "hint": Button(Phrase("Hint")),
    "cancel": Button(Phrase("Cancel"), Phrase("Cancel this table? The invitation becomes void.")),
    "adjourn": Button(Phrase("Adjourn")),
    "accept": Button(Phrase("Agree")),
    "decline": Button(Phrase("Decline")),
    "withdraw": Button(Phrase("Withdraw")),
    "resume": Button(Phrase("Resume")),
    "stop": Button(Phrase("Stop the clocks")),
    "start": Button(Phrase("Start the clocks")),
    "seats": Button(Phrase("Continue")),
    "ask": Button(Phrase("Try again")),
    "no": Button(Phrase("No")),
    "yes": Button(Phrase("Yes")),
    "undo": Button(
        Phrase("Take the last attempt back"), Phrase("Take it back? It stays in the log.")
    ),
    "abandon": Button(Phrase("End without a result"), Phrase("End the game without a result?")),
    "free-black": Button(Phrase("New link for Black"), Phrase("Make Black's present link void?")),
    "free-white": Button(Phrase("New link for White"), Phrase("Make White's present link void?")),
    "rematch": Button(Phrase("Rematch, colours changed")),
}
"""All actions of a client except attempts (actions.py carries them out)."""

LAST_PASS = Phrase("Your opponent has passed. Pass too, and end the game?")
