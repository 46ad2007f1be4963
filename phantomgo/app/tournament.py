"""`phantomgo tournament FILE`: games between many players, and a list of ratings."""

from phantomgo.app.command import of_verb
from phantomgo.lab.api.tournaments import play_tournament
from phantomgo.match.report import Report

configure = of_verb(play_tournament, str, Report.as_dict, positional=("file",))
