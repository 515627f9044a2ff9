"""A front end of one's own: episodes as the bodies of a `for` loop over `with` blocks."""

from contextlib import contextmanager

import rlcheck
from rlcheck.errors import Signal
from trees import insert, is_bst, tree


@contextmanager
def episode_of(guide):
    """One episode: the block is the generator and the property in one."""
    guide.start()
    try:
        yield guide.choose
    except Signal:
        guide.finish(rlcheck.Outcome.INVALID)
    except Exception:
        guide.finish(rlcheck.Outcome.FAILED)
        raise
    else:
        guide.finish(rlcheck.Outcome.VALID)
    finally:
        guide.abandon()  # Does nothing after finish(): this is for Ctrl-C.


guide = rlcheck.Guide(seed=0)
for number in range(1_000):
    try:
        with episode_of(guide) as choose:
            node = tree(choose)
            rlcheck.assume(is_bst(node))
            key = choose(range(11))
            insert(node, key)
            assert is_bst(node)
    except AssertionError:
        print(f"episode {number} failed: key {key} gave {node}")
        break
