"""What `import phantomgo` offers; __init__.py reads this list, and type checkers do."""

from bots import Bot as Bot
from bots.belief import candidates as candidates
from bots.bot import parameter as parameter
from phantomgo.errors import PhantomGoError as PhantomGoError
from phantomgo.game.beginning import Game as Game
from phantomgo.game.player import Decision as Decision
from phantomgo.game.points import BLACK as BLACK
from phantomgo.game.points import PASS as PASS
from phantomgo.game.points import RESIGN as RESIGN
from phantomgo.game.points import WHITE as WHITE
from phantomgo.game.points import Move as Move
from phantomgo.game.points import members as members
from phantomgo.game.points import parse_move as parse_move
from phantomgo.game.points import vertex as vertex
from phantomgo.game.record import Record as Record
from phantomgo.game.referee import Referee as Referee
from phantomgo.game.rules import Rules as Rules
from phantomgo.game.view import View as View
from phantomgo.lab.api.games import belief_map as belief_map
from phantomgo.lab.api.games import bot_names as bot_names
from phantomgo.lab.api.games import check_bot as check_bot
from phantomgo.lab.api.games import decide as decide
from phantomgo.lab.api.games import make_bot as make_bot
from phantomgo.lab.api.games import play_game as play_game
from phantomgo.lab.api.games import play_match as play_match
from phantomgo.lab.api.learning import learn as learn
from phantomgo.lab.api.measuring import evaluate as evaluate
from phantomgo.lab.api.tournaments import play_tournament as play_tournament
from phantomgo.lab.run.workers import Run as Run
from phantomgo.lab.vector import Games as Games
from phantomgo.match.report import Report as Report
from phantomgo.portfolio.book import Book as Book
from phantomgo.portfolio.book import book_names as book_names
from phantomgo.portfolio.book import read_book as read_book
from phantomgo.portfolio.book import write_book as write_book
from phantomgo.portfolio.exploit import CrossValidation as CrossValidation
from phantomgo.portfolio.packed import read_matrix as read_matrix
from phantomgo.version import __version__ as __version__

__all__: list[str]
