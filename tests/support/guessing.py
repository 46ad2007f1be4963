"""A classifier that tries to read a hidden number from what a player receives."""

import numpy as np

BINS = 12
"""Into which the values of a feature are sorted, equally many of the training half in each."""


def accuracy(features, labels):
    """The share of the second half guessed right after training on the first, and the base rate:
    the share of the label that is most frequent there.

    Every feature, and every pair of them, is a naive table: bins of values, each with its most
    frequent label. The table that is best on the training half guesses.

    Args:
        features: an array (turns, features) of numbers.
        labels: an array (turns,) of small whole numbers.
    """
    features, labels = np.asarray(features, float), np.asarray(labels)
    half = len(labels) // 2
    train, test = labels[:half], labels[half:]
    base = np.bincount(train).argmax()
    columns = [_sorted(column, half) for column in features.T]
    count = len(columns)
    cells = [column * (BINS + 1) for column in columns]
    pairs = [cells[i] + columns[j] for i in range(count) for j in range(i)]
    best = max((_guess(cell, train, half, base) for cell in cells + pairs), key=lambda g: g[0])
    return float(np.mean(best[1] == test)), float(np.bincount(test).max() / len(test))


def _sorted(column, half):
    """The bin of each value; a feature of few values has a bin for each."""
    edges = np.unique(np.quantile(column[:half], np.linspace(0, 1, BINS + 1)[1:]))
    return np.searchsorted(edges, column)


def _guess(cells, train, half, base):
    """How well a table fits the training half, less what it costs to have it, and its guesses."""
    table = {}
    for cell in np.unique(cells[:half]):
        table[cell] = np.bincount(train[cells[:half] == cell]).argmax()
    guesses = np.array([table.get(cell, base) for cell in cells])
    return np.mean(guesses[:half] == train) - 0.5 * len(table) / half, guesses[half:]
