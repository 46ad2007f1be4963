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

# Words of a game: the side to move; the point that KO_SIDE may not retake; accepted moves; who has
# just passed, or -1; how the game ended; who won, -1 if the score says it, 2 if nobody did; Black's
# area less White's; attempts that are written down; earlier positions, where the rules ask for them
TO_MOVE, KO, KO_SIDE, MOVES, PASSED, ENDING, WINNER, MARGIN, LOGGED, REPEATED = range(10)
# Of the decision that is being made: what it waits for; its random stream; how many playouts it
# takes and how many of them are done; rounds to come; how many candidates are left, and of how
# many; whether a round is over; the best one, its playouts and those it won; where it will
# be kept
PHASE, KEY, TOTAL, DONE, ROUNDS, LEFT, COUNT, PLAYED, BEST, VISITS, WINS, SLOT = range(10, 22)
VIEWS = 22  # the words of both views follow
START, SEARCH, JUDGE = range(3)  # phases
PLAYING, SCORED, MOVE_LIMIT, RESIGNED, ATTEMPTS, REPETITION = range(6)  # endings

# Words of a view, named as in phantomgo/game/view.py, two that tell its messages and who plays
# from all others, the symmetry under which they see the board (turning.py), a bit for each
# symmetry that keeps all their messages, and the seeds of their line, each with the number of own
# moves at which the next takes over; of the refused points each one and when; by point when an
# own stone was captured there, and when an enemy's, in moves of the opponent, and which own move
# was the last there; -1 for never
(ENEMIES, TURN, REFUSALS, OPPONENT_TURN, OPPONENT_PASSED, TAKEN, LOST, REFUSED, DIGEST,
 OTHER_DIGEST, TURNED, KEEPING) = range(12)  # fmt: skip
LINE = 12
SEEDS = 8  # of a line, at most
POINT_OF = LINE + 2 * SEEDS
TURN_OF = POINT_OF + POINTS
LOST_AT = TURN_OF + POINTS
TAKEN_AT = LOST_AT + POINTS
PLACED_AT = TAKEN_AT + POINTS
VIEW = PLACED_AT + POINTS
WORDS = VIEWS + 2 * VIEW

# Sets of a game: the stones of both sides; what an attempt makes of its side's and the other's, and
# what it captures; rows to look at; what the player to move believes, beside his own stones
STONES, NEXT_OWN, NEXT_ENEMY, CAPTURED, SCRATCH, ENEMY, OPEN = 0, 2, 3, 4, 5, 6, 7
VIEW_SETS = 8  # the sets of both views follow, and then the earlier positions
# Sets of a view; of each refusal where the board was seen to change since
OWN, LOCATED, VACANT, CHANGED = range(4)


@njit(**INLINE)
def words_of(w, side):
    """The words of a side's view."""
    return beyond(w, VIEWS + side * VIEW)


@njit(**INLINE)
def sets_of(side, size):
    """The number of the first set of a side's view; 2 for a side gives that of the positions."""
    return VIEW_SETS + side * (CHANGED + size * size)


# Rules, as int64 numbers
KO_RULE, CAPTURES, REASONS, MAX_TRIES, ON_MAX_TRIES, MAX_MOVES, NEED = range(7)
RULES = 8  # NEED is of both sides: what their area less the other's has to exceed
SIMPLE, POSITIONAL, SITUATIONAL, DRAW = range(4)  # KO_RULE
PASSES, LOSES, COUNTED = range(3)  # ON_MAX_TRIES
ALL_TOLD, COUNT_TOLD, NONE_TOLD = range(3)  # CAPTURES
NO_REASON, IF_OCCUPIED, EVERY_REASON = range(3)  # REASONS
# Why an attempt is refused; of a reason told, 0 is that none is
STANDS, OCCUPIED, OWN_STONE, SUICIDE, RETAKES = range(5)

# Bots, as int64 numbers of each side: what kind, and its parameters
(KIND, PLAYOUTS, PER_CANDIDATE, RESIGN_BELOW, AMAF_WEIGHT, NARROW, BY_NET, RETRY, BY_JUDGE, TRUST,
 FOLDED) = range(11)  # fmt: skip
BOT = 11
RANDOM, FLATMC, PHANTOM = range(3)  # KIND
