"""`python -m phantomgo` is the command `phantomgo`."""

from phantomgo.app.entry import entry

if __name__ == "__main__":
    entry()
