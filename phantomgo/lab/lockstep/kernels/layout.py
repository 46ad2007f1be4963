"""The layout of a game in flat arrays.

A game is `w`, int64 words, and `s`, 32-bit rows of sets of points (sets.py). A side is 0 for Black
and 1 for White; a point is a number as everywhere, PASS is -1 and RESIGN -2.
"""

from numba import njit

from bots.kernels.jit import INLINE
from bots.kernels.positions import MOST
from bots.kernels.vectors import beyond

POINTS = MOST * MOST
PASS, RESIGN, NO_MOVE = -1, -2, -3

# Words of a game
(
    TO_MOVE,  # the side to move
    KO,  # the point that KO_SIDE may not retake, or -1
    KO_SIDE,
    MOVES,  # accepted moves
    PASSED,  # the side that has just passed, or -1
    ENDING,  # how the game ended: PLAYING, SCORED ...
    WINNER,  # the side that won; -1 if the score says it, 2 if nobody did
    MARGIN,  # Black's area less White's
    LOGGED,  # attempts in the log
    REPEATED,  # stored positions, where the rules forbid repeating them
    # The decision that is being made
    PHASE,  # what it waits for: START, SEARCH, JUDGE
    KEY,  # its random stream
    TOTAL,  # the playouts that it takes
    DONE,  # the playouts that are done or on the desk
    ROUNDS,  # rounds to come, with the one that is being played
    LEFT,  # candidates left
    COUNT,  # candidates at first
    PLAYED,  # 1 once a round is over
    BEST,  # the best candidate
    VISITS,  # its playouts
    WINS,  # those of them that it won
    SLOT,  # where the decision will be cached, or -1
    VIEWS,  # the words of both views follow
) = range(23)
START, SEARCH, JUDGE = range(3)  # PHASE
PLAYING, SCORED, MOVE_LIMIT, RESIGNED, ATTEMPTS, REPETITION = range(6)  # ENDING

SEEDS = 8
"""The most seeds of a line."""
# Words of a view, named as in phantomgo/game/view.py
(
    ENEMIES,
    TURN,
    REFUSALS,
    OPPONENT_TURN,
    OPPONENT_PASSED,
    TAKEN,
    LOST,
    REFUSED,  # how many points are refused
    DIGEST,  # this word and the next identify the player, the line and all messages
    OTHER_DIGEST,
    TURNED,  # the symmetry under which the player sees the board (turning.py)
    KEEPING,  # a bit for each symmetry that keeps all messages
    LINE,  # the seeds of the line, each with the number of own moves at which the next takes over
) = range(13)
POINT_OF = LINE + 2 * SEEDS  # each refused point
TURN_OF = POINT_OF + POINTS  # the turn in which it was refused
LOST_AT = TURN_OF + POINTS  # by point: the opponent's move that captured an own stone, or -1
TAKEN_AT = LOST_AT + POINTS  # by point: the opponent's last move before a capture there, or -1
PLACED_AT = TAKEN_AT + POINTS  # by point: the last own move there, or -1
VIEW = PLACED_AT + POINTS
WORDS = VIEWS + 2 * VIEW

# Sets of a game
STONES = 0  # Black's, then White's
NEXT_OWN = 2  # what an attempt makes of its side's stones
NEXT_ENEMY = 3  # and of the other side's
CAPTURED = 4  # the stones it captures
SCRATCH = 5  # a set whose rows are looked at
ENEMY = 6  # where the player to move believes enemy stones to be
OPEN = 7  # where they believe that hidden stones may be
VIEW_SETS = 8  # the sets of both views follow, and then the earlier positions
# Sets of a view
OWN, LOCATED, VACANT = range(3)
CHANGED = 3  # for each refusal, where the board was seen to change since


@njit(**INLINE)
def words_of(w, side):
    """The words of a side's view."""
    return beyond(w, VIEWS + side * VIEW)


@njit(**INLINE)
def sets_of(side, size):
    """The number of the first set of a side's view; 2 for a side gives that of the positions."""
    return VIEW_SETS + side * (CHANGED + size * size)


# Rules, as int64 numbers
(
    KO_RULE,
    CAPTURES,
    REASONS,
    MAX_TRIES,
    ON_MAX_TRIES,
    MAX_MOVES,
    NEED,  # for each side, what its area less the other's has to exceed
) = range(7)
SIMPLE, POSITIONAL, SITUATIONAL, DRAW = range(4)  # KO_RULE
PASSES, LOSES, COUNTED = range(3)  # ON_MAX_TRIES
ALL_TOLD, COUNT_TOLD, NONE_TOLD = range(3)  # CAPTURES
NO_REASON, IF_OCCUPIED, EVERY_REASON = range(3)  # REASONS
# Why an attempt is refused; as the reason told to a player, 0 stands for none
STANDS, OCCUPIED, OWN_STONE, SUICIDE, RETAKES = range(5)

# Bots, as int64 numbers for each side: the kind, then its parameters
(
    KIND,
    PLAYOUTS,
    PER_CANDIDATE,
    RESIGN_BELOW,
    AMAF_WEIGHT,
    NARROW,
    BY_NET,
    RETRY,
    BY_JUDGE,
    TRUST,
    FOLDED,
) = range(11)
BOT = 11
RANDOM, FLATMC, PHANTOM = range(3)  # KIND
