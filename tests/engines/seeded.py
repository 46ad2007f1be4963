"""An engine that plays Go badly, by a seed: `seeded.py SEED`. It knows no captures.

Like bad.py it has only the standard library and nothing of ours.
"""

import random
import sys

LETTERS = "ABCDEFGHJ"


def main(seed):
    size, played = 9, []
    for line in sys.stdin:
        number, name, *arguments = line.split()
        text = ""
        match name:
            case "name":
                text = "Seeded"
            case "version":
                text = "1.0"
            case "boardsize":
                size = int(arguments[0])
            case "clear_board":
                played = []
            case "play":
                played.append(arguments[1].upper())
            case "genmove":
                points = [f"{letter}{row + 1}" for row in range(size) for letter in LETTERS[:size]]
                free = [point for point in points if point not in played]
                text = random.Random(f"{seed} {len(played)}").choice(free) if free else "resign"
        sys.stdout.write(f"={number} {text}\n\n")
        sys.stdout.flush()
        if name == "quit":
            return


main(sys.argv[1])
