"""The lessons: short games that one plays, in which White's moves are fixed."""

from typing import Final, NamedTuple

from phantomgo.phrase import Phrase


class Step(NamedTuple):
    """A step of a lesson.

    Attributes:
        words: the text beside the board.
        attempt: the vertex to attempt, or `pass`.
        reply: White's move after it; empty if it is still Black's turn, or the lesson ends.
    """

    words: str
    attempt: str
    reply: str = ""


class Lesson(NamedTuple):
    """A lesson, on a board of 5x5 with a komi of 0.5.

    Attributes:
        title: its name.
        before: the moves before it, Black's first, of which the learner knows their own.
        steps: the attempts to make.
        end: the text beside the truth.
    """

    title: str
    before: str
    steps: tuple[Step, ...]
    end: str


LESSONS: Final = (
    Lesson(
        Phrase("Phantom Go in 60 seconds"), "",
        (
            Step(Phrase("You are Black. You and White play Go, but each of you sees only your own"
                        " stones. A referee knows both. Begin in the middle."), "C3", "D3"),
            Step(Phrase("Your move stands. White has moved too, and you do not know where. Try the"
                        " point beside your stone."), "D3"),
            Step(Phrase("Refused: a white stone is there. It is still your turn, and you have"
                        " learned something; White does not hear of it. Now surround that"
                        " stone."), "D4", "B5"),
            Step(Phrase("Two sides are taken. Take the third."), "E3", "A1"),
            Step(Phrase("One side is left."), "D2", "E1"),
            Step(Phrase("A capture is announced to both players. The cross shows where the stone"
                        " was. White has three more stones, somewhere. When you see nothing to"
                        " gain, pass."), "pass", "pass"),
        ),
        Phrase("Both have passed, so the game is over and the truth is shown: all stones, and what"
               " each of you knew. Area counts, as in Chinese Go."),
    ),
    Lesson(
        Phrase("A refusal costs nothing"), "C3 C4 B2 D3",
        (
            Step(Phrase("You have two stones, and so has White. An attempt that is refused costs"
                        " you nothing, so look before you move. Try the point above your stone in"
                        " the middle."), "C4"),
            Step(Phrase("A white stone. It is still your turn: try the point to the right."), "D3"),
            Step(Phrase("Both are found, and White does not know that you looked. Now move where"
                        " they would have joined."), "D4", "E1"),
        ),
        Phrase("Three attempts, one move. White heard of none of them, only that you have moved."
               " Some rules limit the attempts of a turn; the page of the table tells how many are"
               " left."),
    ),
    Lesson(
        Phrase("What a refusal tells"), "C3 A2 C2 B1",
        (
            Step(Phrase("White has two stones. Try the corner."), "A1"),
            Step(Phrase("Refused, and nobody says why: a stone may be there, or white stones"
                        " beside it leave yours no liberty, which is suicide. The mark shows that"
                        " you cannot be sure. Try its neighbour."), "A2"),
            Step(Phrase("This time you can be sure. The point has three neighbours and White only"
                        " two stones, so it is not suicide: a stone is there. Try the other"
                        " neighbour."), "B1"),
            Step(Phrase("That was White's second stone, so the corner is empty. It is an eye."
                        " Close in on it from the only side that is open."), "B2", "E5"),
        ),
        Phrase("A refusal means one of three things: a stone, suicide, or ko. Counting stones"
               " tells them apart."),
    ),
    Lesson(
        Phrase("Try again later"), "B3 B2 C2 A2 C1 B1",
        (
            Step(Phrase("White has three stones in the corner. Try to play inside."), "A1"),
            Step(Phrase("Refused. If it is suicide, that changes when White's stones have no"
                        " liberty left. Close the last one outside."), "A3", "E5"),
            Step(Phrase("Now try again."), "A1"),
        ),
        Phrase("The move took White's last liberty, so it captures three stones instead of being"
               " suicide. Remember what was refused, and try it again when something has changed."),
    ),
    Lesson(
        Phrase("When your stone is taken"), "E1 E2",
        (
            Step(Phrase("You have a stone in the corner. Leave it, and move to the"
                        " middle."), "C3", "D1"),
            Step(Phrase("Your stone was taken, and the referee tells you so. Who takes a stone"
                        " stands on all sides of it: now you see two white stones. Attack them"
                        " from between."), "D2", "A5"),
            Step(Phrase("One of them has two liberties left. Take the first."), "C1", "A4"),
            Step(Phrase("And the second, where your own stone was."), "E1"),
        ),
        Phrase("One stone lost, one captured, and all the time you knew where to look. White's"
               " other moves were made in the dark."),
    ),
    Lesson(
        Phrase("What White learns from you"), "A2 D3 D4 A1 C3 B1 D2 E5",
        (
            Step(Phrase("Three of your stones surround a point. Is it White's? Try it."), "D3"),
            Step(Phrase("It is. Take its last liberty."), "E3"),
        ),
        Phrase("White did not hear your first attempt. But a capture is announced, and White now"
               " knows all four stones around the one that was taken: look at White's view. A"
               " stone that you leave in atari keeps its secret."),
    ),
    Lesson(
        Phrase("Ko"), "B3 D4 C4 D2 C2 E3",
        (
            Step(Phrase("Move to the right of the middle."), "D3", "C3"),
            Step(Phrase("Your stone was taken, so you know the white stones around it. Take the"
                        " one in the middle back at once."), "D3"),
            Step(Phrase("Refused, though the point is empty: the board would be what it was"
                        " before. That is ko. Move elsewhere first."), "A1", "E1"),
            Step(Phrase("White has not closed the ko. Take it."), "D3"),
        ),
        Phrase("After a capture of one stone a refusal may be ko. White knows that you will try"
               " again; a move elsewhere lifts it."),
    ),
    Lesson(
        Phrase("Eyes that you cannot see"), "A3 A2 B3 B2 C3 C2 D3 D2 E2 D1 E1 B1",
        (
            Step(Phrase("White has six stones below yours. Try the edge."), "C1"),
            Step(Phrase("Refused: a stone, or suicide. Try the corner."), "A1"),
            Step(Phrase("Refused as well. Two such points, far from one another, are what two eyes"
                        " look like from outside, and White would have to fill one to die. There"
                        " is nothing to gain here."), "pass", "pass"),
        ),
        Phrase("Both points were eyes, and the group lives. A wise attacker counts such points and"
               " looks elsewhere."),
    ),
    Lesson(
        Phrase("Read the counts"), "C3 D3 B2 C4",
        (
            Step(Phrase("The counts say: White has two stones, both hidden. Try beside"
                        " yours."), "D3"),
            Step(Phrase("One of them is hidden now. Try above your stone."), "C4"),
            Step(Phrase("None is hidden: until White moves again, what you see is the whole board."
                        " Use it."), "D4", "E1"),
        ),
        Phrase("White has moved, and one stone is hidden again. The counts are exact wherever"
               " captures are announced: stones on the board, how many of them are hidden, and how"
               " many were taken."),
    ),
    Lesson(
        Phrase("When to pass"), "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 B1 A3",
        (
            Step(Phrase("The left side is yours, and your wall is closed. But White has six"
                        " stones, and their wall is only five. Is one on your side? Try the"
                        " edge."), "A3"),
            Step(Phrase("Something is there. Stones that stand at the end count as alive, so it"
                        " has to be captured. Begin above it."), "A4", "pass"),
            Step(Phrase("White passes. Go on: to the right of it."), "B3", "pass"),
            Step(Phrase("A pass of yours would end the game now, so don't. Capture the"
                        " stone."), "A2", "pass"),
            Step(Phrase("Your side is clean. Now pass, too."), "pass"),
        ),
        Phrase("Nobody agrees about dead stones in Phantom Go, as nobody sees them. Look through"
               " your area before you pass."),
    ),
)  # fmt: skip
