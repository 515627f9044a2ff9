"""A subject in Python: draws what the vectors say, and ends as it is told."""

import json
import os
import sys
import time
from pathlib import Path

CLIENTS = Path(__file__).parents[3] / "clients"
sys.path.insert(0, str(CLIENTS))

import rlcheck_client  # noqa: E402


def draw_all(rng):
    vectors = json.loads((CLIENTS / "vectors.json").read_text())
    return [rng.draw(draw["n"]) for draw in vectors["draws"]]


def main(how):
    rng = rlcheck_client.connect()
    if how == "dice":
        rolls = [rng.randint(1, 6) for _ in range(3)]
        rng.end("fail" if rolls == [6, 6, 6] else "pass")
        print("rolled", rolls)
    elif how == "vectors":
        print(json.dumps(draw_all(rng)))
        rng.end("pass")
    elif how == "silent":
        rng.random()
        os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "1234.5")
        time.sleep(60)
    elif how == "crash":
        rng.random()
        print("about to abort", flush=True)
        os.abort()
    elif how == "endless":
        while True:
            rng.random()
    elif how == "nothing said":
        rng.random()
    else:
        rng.random()
        rng.end(how)


main(sys.argv[1])
