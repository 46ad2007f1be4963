"""Verbs: one typed function, with its checks, for each thing phantomgo does.

`import phantomgo` offers these functions, and a subcommand is made from each one's signature and
docstring. Nothing here prints: `progress` receives reports. A script that asks for more than
one job needs the guard `if __name__ == "__main__":`, as other processes import it.
"""
