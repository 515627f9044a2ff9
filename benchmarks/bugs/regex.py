"""Regular expressions: a parser, and a matcher by derivatives."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: ("none",) ("empty",) ("set", letters) ("then", a, b) ("or", a, b) ("many", a)
Node = tuple[Any, ...]
#: A pattern, and a text to match.
Input = tuple[str, str]

ALPHABET, SIGNS = "abc", "abc|*+?().[]^-"
LONGEST, TEXT = 12, 6
NONE: Node = ("none",)
EMPTY: Node = ("empty",)
#: Sets of letters, each with a letter of its own.
ATOMS = (("a", "a"), ("b", "b"), (".", "c"), ("[ab]", "b"), ("[^ab]", "c"), ("[a-c]", "c"), ("[^c]", "a"))


class Regex:
    """The parser and the matcher."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def matches(self, pattern: str, text: str) -> bool:
        """Whether the whole text matches a pattern."""
        node, _ = self.parse(pattern, 0)
        for letter in text:
            node = self.derive(node, letter)
        return self.nullable(node)

    def parse(self, pattern: str, place: int) -> tuple[Node, int]:
        """Return the alternatives at a place, and where they end."""
        node, place = self.parse_sequence(pattern, place)
        while place < len(pattern) and pattern[place] == "|":
            other, place = self.parse_sequence(pattern, place + 1)
            if self.bug == "or-drops-third" and node[0] == "or":
                continue
            if self.bug == "or-of-same-start" and node[0] == other[0] == "then" and node[1] == other[1]:
                other = node
            node = ("or", node, other)
        return node, place

    def parse_sequence(self, pattern: str, place: int) -> tuple[Node, int]:
        """Return what follows one another at a place, and where it ends."""
        parts: list[Node] = []
        while place < len(pattern) and pattern[place] not in "|)":
            atom, place = self.parse_atom(pattern, place)
            if place < len(pattern) and pattern[place] in "*+?":
                if self.bug == "sign-covers-sequence" and len(parts) == 1 and atom[0] != "set":
                    atom = ("then", parts.pop(), atom)
                atom = self.repeat(atom, pattern[place])
                place += 1
            parts.append(atom)
        node = EMPTY
        for part in reversed(parts):
            node = self.then(part, node)
        return node, place

    def repeat(self, atom: Node, sign: str) -> Node:
        """Return a repetition."""
        if sign == "?":
            if self.bug == "maybe-of-group-is-group" and atom[0] == "then":
                return atom
            return ("or", EMPTY, atom)
        if self.bug == "many-of-many-is-once" and self.nullable(atom) and atom[0] == "or":
            return atom
        if sign == "+" and self.bug != "plus-is-star":
            return self.then(atom, ("many", atom)) if self.bug != "plus-is-twice" else self.then(atom, atom)
        return ("many", atom)

    def parse_atom(self, pattern: str, place: int) -> tuple[Node, int]:
        """Return a letter, a set or a group, and where it ends."""
        sign = pattern[place]
        if sign == "(":
            node, place = self.parse(pattern, place + 1)
            return node, place + 1
        if sign == "[":
            return self.parse_set(pattern, place + 1)
        if sign == ".":
            return ("set", ALPHABET if self.bug != "dot-is-no-c" else ALPHABET[:-1]), place + 1
        return ("set", sign), place + 1

    def parse_set(self, pattern: str, place: int) -> tuple[Node, int]:
        """Return a set of letters, and where it ends."""
        inverse = pattern[place] == "^"
        place += inverse
        letters = ""
        while pattern[place] != "]":
            if pattern[place + 1] == "-" and pattern[place + 2] != "]":
                low, high = ALPHABET.index(pattern[place]), ALPHABET.index(pattern[place + 2])
                letters += ALPHABET[low : high + (self.bug != "range-ends-early")]
                place += 3
            else:
                letters += pattern[place]
                place += 1
        if self.bug == "set-has-two-letters" and len(letters) == 3:
            letters = letters[:2]
        if inverse and (len(letters) < 2 or self.bug != "inverse-set-of-two"):
            letters = "".join(each for each in ALPHABET if each not in letters)
        return ("set", letters), place + 1

    def then(self, one: Node, other: Node) -> Node:
        """Return one after the other, simplified."""
        if NONE in (one, other):
            return NONE
        if one == EMPTY or other == EMPTY:
            return other if one == EMPTY else one
        if self.bug == "then-absorbs-many" and other[0] == "many" and other[1] == one:
            return other
        return ("then", one, other)

    def either(self, one: Node, other: Node) -> Node:
        """Return one or the other, simplified."""
        if one == NONE or (one == other and self.bug != "or-of-equal-is-none"):
            return other
        if self.bug == "or-of-equal-is-none" and one == other and one[0] == "then":
            return NONE
        if self.bug == "or-drops-empty" and one == EMPTY and other[0] == "then":
            return other
        return one if other == NONE else ("or", one, other)

    def nullable(self, node: Node) -> bool:
        """Whether it matches the empty text."""
        if node[0] == "then":
            if self.bug == "then-null-if-either":
                return self.nullable(node[1]) or self.nullable(node[2])
            return self.nullable(node[1]) and self.nullable(node[2])
        if node[0] == "or":
            if self.bug == "or-null-if-both":
                return self.nullable(node[1]) and self.nullable(node[2])
            return self.nullable(node[1]) or self.nullable(node[2])
        return node[0] in ("empty", "many")

    def derive(self, node: Node, letter: str) -> Node:
        """Return what may follow a letter."""
        if node[0] == "set":
            return EMPTY if letter in node[1] else NONE
        if node[0] == "or":
            one, other = self.derive(node[1], letter), self.derive(node[2], letter)
            if self.bug == "or-takes-first-match" and one != NONE:
                return one
            return self.either(one, other)
        if node[0] == "many":
            if self.bug == "many-only-of-sets" and node[1][0] != "set":
                return self.derive(node[1], letter)
            return self.then(self.derive(node[1], letter), node)
        if node[0] == "then":
            first = self.then(self.derive(node[1], letter), node[2])
            if not self.nullable(node[1]) or self.bug == "then-never-skips":
                return first
            if self.bug == "then-skips-greedily" and first != NONE:
                return first
            return self.either(first, self.derive(node[2], letter))
        return NONE


def match_text(regex: Regex, value: Input) -> bool:
    """A text matches as Python's own engine says."""
    return regex.matches(*value) == (re.fullmatch(*value) is not None)


def valid(value: Input) -> bool:
    """Whether the pattern is a plain regular expression with at least one sign."""
    pattern = value[0]
    if re.search(r"[*+?][*+?]|\(\?|\[\^?\]|\[[^\]]*[\[(|*+?.)]|--|\(\)|\|\||^\||\|$|\(\||\|\)", pattern):
        return False
    outside = re.sub(r"\[\^?[abc-]*\]", "x", pattern)
    if re.search(r"[\]^-]", outside) or re.search(r"\[\^?-|-\]|[abc]-[abc]-", pattern):
        return False
    if not re.search(r"[(\[|*+?.]", pattern):
        return False
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def generator(choose: Choose) -> Input:
    """Make a pattern of any signs, and a text."""
    pattern = "".join(choose(SIGNS) for _ in range(choose(range(1, LONGEST + 1))))
    return pattern, "".join(choose(ALPHABET) for _ in range(choose(range(TEXT + 1))))


def handwritten(random: Random) -> Input:
    """Write a pattern, and often a text that it matches."""

    def some(size: int) -> tuple[str, str]:
        kind = random.random()
        if size < 2 or kind < 0.15:
            return random.choice(ATOMS)
        part = random.randrange(1, size)
        (one, text), (other, more) = some(part), some(size - part)
        if kind < 0.2:
            return f"(a{one}|a{other})", "a" + random.choice([text, more])
        if kind < 0.35:
            return f"({one}|{other})", random.choice([text, more])
        if kind < 0.6:
            return one + other, text + more
        sign = random.choice("*+?")
        times = {"*": (0, 1, 2), "+": (1, 2), "?": (0, 1)}[sign]
        if random.random() < 0.5:
            other = more = ""
        return f"({one}){sign}{other}", text * random.choice(times) + more

    while True:
        pattern, text = some(random.randint(2, 4))
        if random.random() < 0.2:
            pattern, text = pattern.removeprefix("(").removesuffix(")"), text[1:]
        if random.random() < 0.3:
            text = "".join(random.choices(ALPHABET, k=random.randrange(TEXT + 1)))
        if valid((pattern, text)):
            return pattern, text


WORKLOAD = Workload(
    "regex",
    Regex,
    generator,
    st.tuples(st.text(SIGNS, min_size=1, max_size=LONGEST), st.text(ALPHABET, max_size=TEXT)),
    valid,
    {
        "or-drops-third": (match_text,),
        "or-of-same-start": (match_text,),
        "sign-covers-sequence": (match_text,),
        "maybe-of-group-is-group": (match_text,),
        "many-of-many-is-once": (match_text,),
        "plus-is-star": (match_text,),
        "plus-is-twice": (match_text,),
        "dot-is-no-c": (match_text,),
        "range-ends-early": (match_text,),
        "set-has-two-letters": (match_text,),
        "inverse-set-of-two": (match_text,),
        "then-absorbs-many": (match_text,),
        "or-of-equal-is-none": (match_text,),
        "or-drops-empty": (match_text,),
        "then-null-if-either": (match_text,),
        "or-null-if-both": (match_text,),
        "or-takes-first-match": (match_text,),
        "many-only-of-sets": (match_text,),
        "then-never-skips": (match_text,),
        "then-skips-greedily": (match_text,),
    },
    handwritten,
)
