"""The command line: a module or package for each subcommand, arguments in, text out.

What a subcommand does is a function of phantomgo/lab/api; only terminals, web pages and pictures
belong here.
"""
