"""Text patches: apply, invert, merge hunks that touch, and make a patch of two texts."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

Lines = tuple[str, ...]
#: Where it begins in the old text, the lines that go, and the lines that come.
Hunk = tuple[int, Lines, Lines]
Patch = tuple[Hunk, ...]
Input = tuple[Lines, Patch]

LINES, LONGEST, HUNKS, LEAST = "abcdef", 12, 4, 2


def patched(old: Lines, patch: Patch) -> Lines:
    """Return the new text, hunk by hunk from the end."""
    new = old
    for start, gone, come in reversed(patch):
        new = new[:start] + come + new[start + len(gone) :]
    return new


def fits(old: Lines, patch: Patch) -> bool:
    """Whether hunks are in order, change something, and find the lines that go."""
    end = 0
    for number, (start, gone, come) in enumerate(patch):
        if start < end + bool(number) or gone == come or old[start : start + len(gone)] != gone:
            return False
        end = start + len(gone)
    return end <= len(old) and all(start <= len(old) for start, _, _ in patch)


class Patches:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def apply(self, old: Lines, patch: Patch) -> Lines:
        """Return the new text, in one pass."""
        new: list[str] = []
        place = 0
        for start, gone, come in patch:
            if self.bug == "apply-counts-in-new" and len(new) > start:
                start = len(new)
            new += old[place:start]
            if self.bug == "apply-keeps-end-of-long-deletion" and gone and not come and len(gone) > 3:
                gone = gone[:1]
            new += come
            place = start + len(gone)
            if self.bug == "apply-swallows-line-after-growth" and len(come) > len(gone):
                place += 1
        if self.bug == "apply-drops-short-tail" and len(old) - place == 1 and len(patch) > 1:
            return tuple(new)
        return (*new, *old[place:])

    def invert(self, patch: Patch) -> Patch:
        """Return the patch that leads back."""
        made, shift = [], 0
        for start, gone, come in patch:
            if self.bug == "invert-never-shifts":
                shift = 0
            made.append((start + shift, come, gone))
            if self.bug == "invert-shifts-once":
                shift = len(come) - len(gone)
            elif self.bug == "invert-shifts-by-growth-only":
                shift += max(0, len(come) - len(gone))
            else:
                shift += len(come) - len(gone)
        return tuple(made)

    def trim(self, hunk: Hunk) -> Hunk | None:
        """Return a hunk without the lines that stay the same at its ends."""
        start, gone, come = hunk
        while gone and come and gone[0] == come[0]:
            start, gone, come = start + (self.bug != "trim-keeps-start"), gone[1:], come[1:]
        while gone and come and gone[-1] == come[-1]:
            gone, come = gone[:-1], come[:-1]
            if self.bug == "trim-one-line-at-end":
                break
            if self.bug == "trim-shortens-one-side" and len(come) > 1:
                come = come[:-1]
        if self.bug == "trim-drops-pure-deletions" and not come and len(gone) == 1:
            return None
        return (start, gone, come) if gone or come else None

    def diff(self, old: Lines, new: Lines) -> Patch:
        """Return a patch from one text to the other, by their longest common lines."""
        if not old and not new:
            return ()
        best = self.common(old, new)
        if best is None:
            return ((0, old, new),)
        place, other, size = best
        before = self.diff(old[:place], new[:other])
        skip = place + size
        after = self.diff(old[skip:], new[other + size :])
        if self.bug == "diff-shifts-by-new":
            skip = other + size
        if self.bug == "diff-forgets-tail" and not new[other + size :] and before:
            after = ()
        return (*before, *((start + skip, gone, come) for start, gone, come in after))

    def common(self, old: Lines, new: Lines) -> tuple[int, int, int] | None:
        """Return where the longest run of common lines begins in both, and how long it is."""
        best = None
        for place in range(len(old)):
            for other in range(len(new)):
                size = 0
                for one, two in zip(old[place:], new[other:], strict=False):
                    if one != two:
                        break
                    size += 1
                if self.bug == "common-counts-first-mismatch" and size > 2 and place + size < len(old):
                    size += 1
                if size and (best is None or size > best[2]):
                    best = (place, other, size)
        return best

    def join(self, old: Lines, patch: Patch, gap: int = 1) -> Patch:
        """Return a patch in which hunks with so few lines between them are one."""
        made: list[Hunk] = []
        for start, gone, come in patch:
            if made and start - made[-1][0] - len(made[-1][1]) <= gap:
                begun, lost, won = made.pop()
                end = begun + len(lost)
                between = old[end:start]
                if self.bug == "join-forgets-lines-between":
                    between = ()
                if self.bug == "join-puts-lines-between-first" and lost and won:
                    made.append((begun, lost + between + gone, between + won + come))
                    continue
                if self.bug == "join-counts-from-new":
                    between = old[begun + len(won) : start]
                made.append((begun, lost + between + gone, won + between + come))
                if self.bug == "join-forgets-second-lost" and not come:
                    made[-1] = (begun, lost + between, won + between)
            else:
                made.append((start, gone, come))
        return tuple(made)

    def compose(self, first: Patch, old: Lines, second: Patch) -> Patch:
        """Return one patch for two in a row, by way of both texts."""
        middle = self.apply(old, first)
        if self.bug == "compose-applies-to-old" and len(old) >= len(middle):
            return self.diff(old, patched(old, second))
        return self.diff(old, self.apply(middle, second))


def apply_text(patches: Patches, value: Input) -> bool:
    """A patch makes the text that it should."""
    return patches.apply(*value) == patched(*value)


def invert_text(patches: Patches, value: Input) -> bool:
    """The inverse of a patch fits the new text, and leads back."""
    old, patch = value
    new, back = patched(old, patch), patches.invert(patch)
    return fits(new, back) and patched(new, back) == old


def trim_text(patches: Patches, value: Input) -> bool:
    """A patch without lines that stay does the same, and no hunk can lose more."""
    old, patch = value
    trimmed = tuple(each for hunk in patch if (each := patches.trim(hunk)))
    least = not any(
        gone and come and (gone[0] == come[0] or gone[-1] == come[-1]) for _, gone, come in trimmed
    )
    return least and patched(old, trimmed) == patched(old, patch)


def diff_text(patches: Patches, value: Input) -> bool:
    """The difference of two texts fits the old one, and makes the new one."""
    new = patched(*value)
    made = patches.diff(value[0], new)
    return fits(value[0], made) and patched(value[0], made) == new


def join_text(patches: Patches, value: Input) -> bool:
    """A patch with joined hunks does the same."""
    old, patch = value
    made = patches.join(old, patch)
    fit = fits(old, tuple(hunk for hunk in made if hunk[1] != hunk[2]))
    return fit and patched(old, made) == patched(old, patch)


def compose_text(patches: Patches, value: Input) -> bool:
    """A patch that fits twice makes one patch."""
    old, patch = value
    new = patched(old, patch)
    if not fits(new, patch):
        return True
    return patched(old, patches.compose(patch, old, patch)) == patched(new, patch)


def valid(value: Input) -> bool:
    """Whether the patch has hunks with enough old lines to find their place, and fits the text."""
    return bool(value[1]) and all(len(gone) >= LEAST for _, gone, _ in value[1]) and fits(*value)


def generator(choose: Choose) -> Input:
    """Make any text and any hunks."""
    old = lines(choose, LONGEST)
    hunks = range(choose(range(1, HUNKS + 1)))
    return old, tuple((choose(range(LONGEST + 1)), lines(choose, 4), lines(choose, 4)) for _ in hunks)


def lines(choose: Choose, most: int) -> Lines:
    """Make a few lines."""
    return tuple(choose(LINES) for _ in range(choose(range(most + 1))))


def handwritten(random: Random) -> Input:
    """Write a text, and change it at some places."""
    while True:
        old = tuple(random.choices(LINES[: random.randint(2, 6)], k=random.randrange(LONGEST + 1)))
        made: list[Any] = []
        start = random.randrange(3)
        for _ in range(random.randint(1, HUNKS)):
            gone = old[start : start + random.randint(LEAST, 4)]
            come = list(gone) if random.random() < 0.5 else []
            for _ in range(random.randrange(3)):
                come.insert(random.randint(0, len(come)), random.choice(old or LINES))
            made.append((start, gone, tuple(come[:4])))
            start += len(gone) + random.randint(1, 3)
        if valid((old, tuple(made))):
            return old, tuple(made)


FEW = st.lists(st.sampled_from(LINES), max_size=4).map(tuple)

WORKLOAD = Workload(
    "diff-patch",
    Patches,
    generator,
    st.tuples(
        st.lists(st.sampled_from(LINES), max_size=LONGEST).map(tuple),
        st.lists(st.tuples(st.integers(0, LONGEST), FEW, FEW), min_size=1, max_size=HUNKS).map(tuple),
    ),
    valid,
    {
        "apply-counts-in-new": (apply_text,),
        "apply-keeps-end-of-long-deletion": (apply_text, compose_text),
        "apply-swallows-line-after-growth": (apply_text, compose_text),
        "apply-drops-short-tail": (apply_text, compose_text),
        "invert-never-shifts": (invert_text,),
        "invert-shifts-once": (invert_text,),
        "invert-shifts-by-growth-only": (invert_text,),
        "trim-keeps-start": (trim_text,),
        "trim-one-line-at-end": (trim_text,),
        "trim-shortens-one-side": (trim_text,),
        "trim-drops-pure-deletions": (trim_text,),
        "diff-shifts-by-new": (diff_text, compose_text),
        "diff-forgets-tail": (diff_text, compose_text),
        "common-counts-first-mismatch": (diff_text, compose_text),
        "join-forgets-lines-between": (join_text,),
        "join-puts-lines-between-first": (join_text,),
        "join-counts-from-new": (join_text,),
        "join-forgets-second-lost": (join_text,),
        "compose-applies-to-old": (compose_text,),
    },
    handwritten,
)
