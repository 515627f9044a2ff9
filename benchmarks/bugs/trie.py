"""Compressed tries, whose edges have labels of several letters: insert, delete and look up."""

from __future__ import annotations

from itertools import takewhile
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: The value of the word that ends here or None, and children by their labels in order.
Node = tuple[int | None, tuple[tuple[str, Any], ...]]
Input = tuple[Node, str, int]

LETTERS, VALUES, LEVELS, LONGEST = "abcdef", range(4), 3, 4
EMPTY: Node = (None, ())


def words(node: Node, before: str = "") -> dict[str, int]:
    """Return the value of every word."""
    value, children = node
    found = {} if value is None else {before: value}
    for label, child in children:
        found |= words(child, before + label)
    return found


def is_compressed(node: Node, *, root: bool = True) -> bool:
    """Whether labels begin with different letters in order, and every node has a purpose."""
    value, children = node
    first = [label[:1] for label, _ in children]
    useful = root or value is not None or len(children) > 1
    ordered = "" not in first and first == sorted(set(first))
    return useful and ordered and all(is_compressed(child, root=False) for _, child in children)


class Trie:
    """The operations."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def insert(self, node: Node, word: str, value: int) -> Node:
        """Return the trie with a word."""
        held, children = node
        if not word:
            return (held if self.bug == "insert-keeps-old-value" and held is not None else value, children)
        made, placed = [], False
        for label, child in children:
            shared = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(label, word, strict=False))))
            if not shared or (self.bug == "insert-needs-whole-label" and shared < len(label)):
                made.append((label, child))
                continue
            placed = True
            if shared == len(label):
                rest = word[shared:] if self.bug != "insert-skips-a-letter" else word[max(shared, 2) :]
                made.append((label, self.insert(child, rest, value)))
            else:
                made.append(self.fork(label, child, word, shared, value))
        if not placed:
            made.append((word, (value, ())))
            if self.bug != "insert-does-not-sort":
                made.sort()
        if self.bug == "insert-forgets-own-value" and len(children) == 2 and placed:
            held = None
        return (held, tuple(made))

    def fork(self, label: str, child: Node, word: str, shared: int, value: int) -> tuple[str, Node]:
        """Split an edge where the word leaves it."""
        if shared == len(word):
            if self.bug == "fork-loses-prefix-word":
                return (label[:shared], (None, ((label[shared:], child),)))
            if self.bug == "fork-takes-child-value" and child[1]:
                return (label[:shared], (value, ((label[shared:], (value, child[1])),)))
            return (label[:shared], (value, ((label[shared:], child),)))
        if self.bug == "fork-cuts-at-one" and shared > 1:
            shared = 1
        old, new = (label[shared:], child), (word[shared:], (value, ()))
        if self.bug == "fork-drops-grandchildren" and child[0] is not None:
            old = (label[shared:], (child[0], ()))
        if self.bug == "fork-does-not-sort":
            return (label[:shared], (None, (old, new)))
        return (label[:shared], (None, tuple(sorted([old, new], key=lambda edge: edge[0]))))

    def delete(self, node: Node, word: str) -> Node:
        """Return the trie without a word."""
        held, children = node
        if not word:
            return (None, children if self.bug != "delete-cuts-longer-words" else ())
        made = []
        for label, child in children:
            if not word.startswith(label):
                same = label[0] == word[0] and len(label) == len(word)
                if self.bug == "delete-matches-first-letter" and same:
                    continue
                made.append((label, child))
                continue
            rest = self.delete(child, word[len(label) :])
            made += self.tidy(label, rest)
        if self.bug == "delete-merges-root" and len(made) == 1 and held is None and made[0][1][1]:
            return made[0][1]
        return (held, tuple(made))

    def tidy(self, label: str, node: Node) -> list[tuple[str, Node]]:
        """Remove a node that has no purpose any more."""
        value, children = node
        if self.bug == "tidy-ignores-value" and len(children) == 1 and len(label) > 1:
            value = None
        if value is not None or len(children) > 1:
            return [(label, node)]
        if not children:
            return [] if self.bug != "tidy-keeps-empty" else [(label, node)]
        if self.bug == "tidy-never-merges":
            return [(label, node)]
        below, child = children[0]
        if self.bug == "tidy-swaps-labels":
            return [(below + label, child)]
        if self.bug == "tidy-drops-below" and child[1]:
            return [(label + below, (child[0], child[1][:1]))]
        return [(label + below, child)]

    def longest(self, node: Node, text: str) -> str | None:
        """Return the longest word that the text begins with."""
        held, children = node
        for label, child in children:
            if text.startswith(label):
                below = self.longest(child, text[len(label) :])
                if below is not None:
                    return label + below
                if self.bug == "longest-gives-up-below":
                    return None
        if self.bug == "longest-wants-letters-left" and not text:
            return None
        return "" if held is not None else None


def insert_words(trie: Trie, value: Input) -> bool:
    """An insertion adds or changes one word."""
    node, word, number = value
    return words(trie.insert(node, word, number)) == words(node) | {word: number}


def insert_valid(trie: Trie, value: Input) -> bool:
    """A trie stays compressed when a word is inserted."""
    return is_compressed(trie.insert(*value))


def delete_words(trie: Trie, value: Input) -> bool:
    """A deletion removes one word."""
    node, word, _ = value
    known = words(node)
    known.pop(word, None)
    return words(trie.delete(node, word)) == known


def delete_valid(trie: Trie, value: Input) -> bool:
    """A trie stays compressed when a word is deleted."""
    return is_compressed(trie.delete(*value[:2]))


def longest_is_longest(trie: Trie, value: Input) -> bool:
    """The longest word at the beginning of a text is found."""
    node, text, _ = value
    found = [word for word in words(node) if text.startswith(word)]
    return trie.longest(node, text) == max(found, key=len, default=None)


def valid(value: Input) -> bool:
    """Whether the trie is compressed."""
    return is_compressed(value[0])


def generator(choose: Choose) -> Input:
    """Make any tree with labels, a word and a value."""
    return node(choose, 0), letters(choose, 2 * LONGEST), choose(VALUES)


def node(choose: Choose, depth: int) -> Node:
    """Make a node with or without a value, and any children."""
    value = choose(VALUES) if choose([False, True]) else None
    count = choose(range(4)) if depth < LEVELS else 0
    return (value, tuple((letters(choose, LONGEST), node(choose, depth + 1)) for _ in range(count)))


def letters(choose: Choose, most: int) -> str:
    """Make any short text."""
    return "".join(choose(LETTERS) for _ in range(choose(range(most + 1))))


def handwritten(random: Random) -> Input:
    """Insert some short words, and take one of them, or one near it."""
    made, known = EMPTY, []
    for _ in range(random.randrange(14)):
        begun = random.choice([*known, ""])[: random.randrange(5)]
        known.append(begun + "".join(random.choices(LETTERS, k=random.randrange(4))))
        made = Trie().insert(made, known[-1], random.choice(VALUES))
    word = random.choice([*known, ""])
    if random.random() < 0.5:
        more = "".join(random.choices(LETTERS, k=random.randrange(3)))
        word = word[: random.randrange(len(word) + 1)] + more
    return made, word, random.choice(VALUES)


TEXTS = st.text(LETTERS, max_size=LONGEST)
NUMBERS = st.integers(VALUES[0], VALUES[-1])
NODES = st.deferred(
    lambda: st.tuples(st.none() | NUMBERS, st.lists(st.tuples(TEXTS, NODES), max_size=3).map(tuple))
)

WORKLOAD = Workload(
    "trie",
    Trie,
    generator,
    st.tuples(NODES, st.text(LETTERS, max_size=2 * LONGEST), NUMBERS),
    valid,
    {
        "insert-keeps-old-value": (insert_words,),
        "insert-needs-whole-label": (insert_valid,),
        "insert-skips-a-letter": (insert_words,),
        "insert-does-not-sort": (insert_valid,),
        "insert-forgets-own-value": (insert_words,),
        "fork-loses-prefix-word": (insert_words, insert_valid),
        "fork-takes-child-value": (insert_words,),
        "fork-cuts-at-one": (insert_valid,),
        "fork-drops-grandchildren": (insert_words,),
        "fork-does-not-sort": (insert_valid,),
        "delete-cuts-longer-words": (delete_words,),
        "delete-matches-first-letter": (delete_words,),
        "delete-merges-root": (delete_words,),
        "tidy-ignores-value": (delete_words,),
        "tidy-keeps-empty": (delete_valid,),
        "tidy-never-merges": (delete_valid,),
        "tidy-swaps-labels": (delete_words, delete_valid),
        "tidy-drops-below": (delete_words, delete_valid),
        "longest-gives-up-below": (longest_is_longest,),
        "longest-wants-letters-left": (longest_is_longest,),
    },
    handwritten,
)
