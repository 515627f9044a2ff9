"""JSON: a parser and a printer, on texts made of any tokens."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

TOKENS = (
    *("{", "}", "[", "]", ",", ":", " ", "\n"),
    *("true", "false", "null", "0", "-0", "7", "-12", "0.5", "-3.25", "2e2", "5E-1", "1.5e+1"),
    *('""', '"a"', '"b c"', '"\\n"', '"\\""', '"\\\\"', '"\\/"', '"\\u0041"', '"\\ud83d\\ude00"', '"é"'),
)
LONGEST = 20
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\", "/": "/"}


class Json:
    """The parser and the printer."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def parse(self, text: str) -> Any:
        """Return the value of a text that is JSON."""
        value, place = self.value(text, self.space(text, 0))
        if self.space(text, place) != len(text):
            raise ValueError("there is more")
        return value

    def space(self, text: str, place: int) -> int:
        """Return the place after any white space."""
        blank = " " if self.bug == "space-is-no-newline" else " \t\r\n"
        while place < len(text) and text[place] in blank:
            place += 1
        return place

    def value(self, text: str, place: int) -> tuple[Any, int]:
        """Return the value at a place and where it ends."""
        first = text[place]
        if first == "{":
            return self.members(text, place)
        if first == "[":
            return self.items(text, place)
        if first == '"':
            return self.string(text, place)
        for word, value in (("true", True), ("false", False), ("null", None)):
            if text.startswith(word, place):
                return value, place + len(word)
        return self.number(text, place)

    def number(self, text: str, place: int) -> tuple[float, int]:
        """Return the number at a place and where it ends."""
        found = NUMBER.match(text, place)
        if found is None:
            raise ValueError("no value")
        digits, fraction, exponent = found[0], found[1], found[2]
        if self.bug == "exponent-makes-no-float" and exponent and not fraction:
            return int(float(digits)), found.end()
        if self.bug == "fraction-loses-sign" and fraction and digits.startswith("-"):
            whole, _, rest = digits.partition(".")
            return int(whole) + float(f"0.{rest}"), found.end()
        return (float(digits) if fraction or exponent else int(digits)), found.end()

    def string(self, text: str, place: int) -> tuple[str, int]:
        """Return the string at a place and where it ends."""
        made, place = [], place + 1
        while text[place] != '"':
            if text[place] != "\\":
                made.append(text[place])
                place += 1
            elif text[place + 1] == "u":
                made.append(chr(int(text[place + 2 : place + 6], 16)))
                place += 6
            else:
                escape = text[place + 1]
                made.append("/" if self.bug == "escape-is-slash" and escape in "\\/" else ESCAPES[escape])
                place += 2
        whole = "".join(made)
        if self.bug != "surrogates-stay-apart":
            whole = whole.encode("utf-16", "surrogatepass").decode("utf-16")
        return whole, place + 1

    def items(self, text: str, place: int) -> tuple[list[Any], int]:
        """Return the list at a place and where it ends."""
        made: list[Any] = []
        place = self.space(text, place + 1)
        if text[place] == "]" and self.bug != "empty-list-fails":
            return made, place + 1
        while True:
            value, place = self.value(text, place)
            if not (self.bug == "null-is-no-item" and value is None and made):
                made.append(value)
            place = self.space(text, place)
            if text[place] == "]":
                return made, place + 1
            if text[place] != ",":
                raise ValueError("no comma")
            place = self.space(text, place + 1) if self.bug != "no-space-after-comma" else place + 1
            if self.bug == "list-flattens-lists" and isinstance(value, list) and text[place] == "[":
                made.pop()
                made.extend(value)

    def members(self, text: str, place: int) -> tuple[dict[str, Any], int]:
        """Return the object at a place and where it ends."""
        made: dict[str, Any] = {}
        place = self.space(text, place + 1)
        if text[place] == "}":
            return made, place + 1
        while True:
            key, place = self.string(text, place)
            place = self.space(text, place) if self.bug != "no-space-before-colon" else place
            if text[place] != ":":
                raise ValueError("no colon")
            value, place = self.value(text, self.space(text, place + 1))
            if self.bug == "first-of-equal-keys-wins":
                made.setdefault(key, value)
            elif self.bug == "equal-keys-collect" and isinstance(made.get(key), list):
                made[key] = [*made[key], value]
            elif self.bug != "empty-key-is-dropped" or key or not made:
                made[key] = value
            place = self.space(text, place)
            if text[place] == "}":
                return made, place + 1
            if text[place] != ",":
                raise ValueError("no comma")
            if self.bug == "object-ends-after-object" and isinstance(value, dict) and value:
                return made, text.rindex("}", place) + 1
            place = self.space(text, place + 1)

    def print(self, value: Any) -> str:
        """Return the shortest text of a value."""
        if isinstance(value, dict):
            inner = [f"{self.quote(key)}:{self.print(each)}" for key, each in value.items()]
            if self.bug == "prints-stripped-keys" and len(inner) > 1:
                inner = [f"{self.quote(key.strip())}:{self.print(each)}" for key, each in value.items()]
            return "{" + ",".join(inner) + "}"
        if isinstance(value, list):
            if self.bug == "prints-lone-empty-list-as-empty" and value == [[]]:
                return "[]"
            return "[" + ",".join(map(self.print, value)) + "]"
        if isinstance(value, str):
            return self.quote(value)
        if self.bug == "prints-booleans-as-numbers" and value is True:
            return "1"
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if self.bug == "prints-whole-floats-as-integers" and value == int(value):
            return str(int(value))
        return repr(value)

    def quote(self, text: str) -> str:
        """Return a string in quotes."""
        steps = [("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n")]
        if self.bug == "quote-escapes-backslash-last":
            steps = [*steps[1:], steps[0]]
        if self.bug == "quote-forgets-newline":
            steps = steps[:2]
        for plain, escaped in steps:
            text = text.replace(plain, escaped)
        return f'"{text}"'


def parse_value(text_of: Json, text: str) -> bool:
    """A text has the value that it should have."""
    return repr(text_of.parse(text)) == repr(json.loads(text))


def print_value(text_of: Json, text: str) -> bool:
    """What is printed has the same value."""
    value = json.loads(text)
    return repr(json.loads(text_of.print(value))) == repr(value)


def valid(text: str) -> bool:
    """Whether it is a list or an object in JSON."""
    try:
        return isinstance(json.loads(text), (list, dict))
    except ValueError:
        return False


def generator(choose: Choose) -> str:
    """Make a text of any tokens."""
    text = ""
    for _ in range(choose(range(1, LONGEST + 1))):
        text += choose(TOKENS)
    return text


def handwritten(random: Random) -> str:
    """Write a list or an object, with some white space."""

    def spaced(token: str) -> str:
        blanks = ("", "", "", " ", "\n")
        return random.choice(blanks) + token + random.choice(blanks)

    def some(depth: int) -> str:
        kind = random.randrange(5 if depth < 3 else 3) if depth else random.choice([3, 4])
        if kind == 3:
            return "[" + ",".join(spaced(some(depth + 1)) for _ in range(random.randrange(4))) + spaced("]")
        if kind == 4:
            pairs = (f"{spaced(word())}:{spaced(some(depth + 1))}" for _ in range(random.randrange(4)))
            return "{" + ",".join(pairs) + spaced("}")
        return word() if kind == 2 else random.choice(TOKENS[8:20])

    def word() -> str:
        return random.choice(TOKENS[20:])

    return spaced(some(0))


WORKLOAD = Workload(
    "json",
    Json,
    generator,
    st.lists(st.sampled_from(TOKENS), min_size=1, max_size=LONGEST).map("".join),
    valid,
    {
        "space-is-no-newline": (parse_value,),
        "exponent-makes-no-float": (parse_value,),
        "fraction-loses-sign": (parse_value,),
        "escape-is-slash": (parse_value,),
        "surrogates-stay-apart": (parse_value,),
        "empty-list-fails": (parse_value,),
        "null-is-no-item": (parse_value,),
        "no-space-after-comma": (parse_value,),
        "list-flattens-lists": (parse_value,),
        "no-space-before-colon": (parse_value,),
        "first-of-equal-keys-wins": (parse_value,),
        "equal-keys-collect": (parse_value,),
        "empty-key-is-dropped": (parse_value,),
        "object-ends-after-object": (parse_value,),
        "prints-stripped-keys": (print_value,),
        "prints-lone-empty-list-as-empty": (print_value,),
        "prints-booleans-as-numbers": (print_value,),
        "prints-whole-floats-as-integers": (print_value,),
        "quote-escapes-backslash-last": (print_value,),
        "quote-forgets-newline": (print_value,),
    },
    handwritten,
)
