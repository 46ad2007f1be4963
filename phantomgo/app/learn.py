"""`phantomgo learn`: play the seed matrix, choose a distribution over the seeds, write a book."""

from phantomgo.app.command import of_verb
from phantomgo.app.summaries import book_summary
from phantomgo.lab.api.learning import learn

configure = of_verb(learn, book_summary, required=("store", "out"))
