"""Six naive generators that know nothing of what makes their inputs valid."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise
from typing import Any

from benchmarks.campaigns import Subject
from rlcheck.generators import Choose

#: A colour or "", the left subtree, a key, the right subtree.
Tree = tuple[str, Any, int, Any]
#: A tag, its text or None, its children.
Element = tuple[int, int | None, tuple[Any, ...]]

LEVELS, KEYS = 5, range(31)
LONGEST = 24

#: Tags that hold others: which ones. Others hold text. Below the list of dependencies tags may repeat.
PROJECT, DEPENDENCIES, DEPENDENCY = 0, 5, 6
CHILDREN = {PROJECT: {1, 2, 3, 4, 5}, DEPENDENCIES: {DEPENDENCY}, DEPENDENCY: {2, 3, 4, 7}}


def red_black(choose: Choose, depth: int = 0) -> Tree | None:
    """Make a coloured tree: its colour first, the key after the left subtree."""
    if depth == LEVELS or not choose([False, True]):
        return None
    colour = choose("RB")
    left = red_black(choose, depth + 1)
    key = choose(KEYS)
    return colour, left, key, red_black(choose, depth + 1)


def in_order(choose: Choose, depth: int = 0) -> Tree | None:
    """Make a tree: the key comes after the left subtree."""
    if depth == LEVELS or not choose([False, True]):
        return None
    left = in_order(choose, depth + 1)
    key = choose(KEYS)
    return "", left, key, in_order(choose, depth + 1)


def pre_order(choose: Choose, depth: int = 0) -> Tree | None:
    """Make a tree: the key comes first."""
    if depth == LEVELS or not choose([False, True]):
        return None
    key = choose(KEYS)
    left = pre_order(choose, depth + 1)
    return "", left, key, pre_order(choose, depth + 1)


def keys(tree: Tree | None) -> list[int]:
    """Return the keys in order."""
    return [] if tree is None else [*keys(tree[1]), tree[2], *keys(tree[3])]


def is_search_tree(tree: Tree | None) -> bool:
    """Whether the keys ascend."""
    return all(low < high for low, high in pairwise(keys(tree)))


def is_avl(tree: Tree | None) -> bool:
    """Whether it is a search tree with a node whose subtrees are all about equally high."""
    return tree is not None and is_search_tree(tree) and _height(tree) is not None


def _height(tree: Tree | None) -> int | None:
    if tree is None:
        return 0
    left, right = _height(tree[1]), _height(tree[3])
    if left is None or right is None or abs(left - right) > 1:
        return None
    return 1 + max(left, right)


def is_red_black(tree: Tree | None) -> bool:
    """Whether it is a search tree with a black root that keeps to the rules of colours."""
    black_root = tree is None or tree[0] == "B"
    return black_root and is_search_tree(tree) and black_height(tree) is not None


def black_height(tree: Tree | None) -> int | None:
    """Return the number of black nodes on each way down; None if the rules of colours are broken."""
    if tree is None:
        return 0
    colour, left, _, right = tree
    if colour == "R" and any(child is not None and child[0] == "R" for child in (left, right)):
        return None
    height = black_height(left)
    if height is None or height != black_height(right):
        return None
    return height + (colour == "B")


def outline(tree: Tree | None) -> Hashable:
    """Return a tree without its keys."""
    return None if tree is None else (tree[0], outline(tree[1]), outline(tree[3]))


def brackets(choose: Choose) -> str:
    """Make a string of brackets, in a loop."""
    text = ""
    while len(text) < LONGEST and choose([False, True]):
        text += choose("([{)]}")
    return text


def is_balanced(text: str) -> bool:
    """Whether at least six brackets close in the order in which they opened."""
    left = len(text) >= 6 and text
    while left and (shorter := left.replace("()", "").replace("[]", "").replace("{}", "")) != left:
        left = shorter
    return left == "" and len(text) >= 6


def nesting(text: str) -> Hashable:
    """Return how brackets nest, whatever their kind."""
    return "".join("(" if bracket in "([{" else ")" for bracket in text)


def element(choose: Choose, depth: int = 0) -> Element:
    """Make an XML element with any tag, and with text or children."""
    tag: int = choose(range(10))
    if depth < 3 and choose([False, True]):
        return tag, None, tuple(element(choose, depth + 1) for _ in range(choose(range(4))))
    return tag, choose(range(4)) if choose([False, True]) else None, ()


def is_pom(made: Element, allowed: frozenset[int] | set[int] = frozenset({PROJECT})) -> bool:
    """Whether tags are where they belong, once each, and hold what they should."""
    tag, text, children = made
    if tag not in allowed:
        return False
    if tag not in CHILDREN:
        return not children and text is not None
    once = tag == DEPENDENCIES or len({child[0] for child in children}) == len(children)
    return text is None and once and all(is_pom(child, CHILDREN[tag]) for child in children)


def tags(made: Element) -> Hashable:
    """Return an element without its texts."""
    return made[0], made[1] is None, tuple(map(tags, made[2]))


def nodes(tree: Tree | None) -> int:
    """Count the nodes of a tree."""
    return 0 if tree is None else 1 + nodes(tree[1]) + nodes(tree[3])


def elements(made: Element) -> int:
    """Count the elements of a document."""
    return 1 + sum(map(elements, made[2]))


SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject("red-black", red_black, is_red_black, outline, nodes),
        Subject("avl", in_order, is_avl, outline, nodes),
        Subject("bst", in_order, is_search_tree, outline, nodes),
        Subject("bst-preorder", pre_order, is_search_tree, outline, nodes),
        Subject("brackets", brackets, is_balanced, nesting),
        Subject("pom", element, is_pom, tags, elements),
    )
}
