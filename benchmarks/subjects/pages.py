"""HTML pages, which html5lib has to parse without an error."""

from __future__ import annotations

from functools import cache
from typing import Any

from benchmarks.subjects.subject import Subject
from rlcheck import Coverage
from rlcheck.generators import Choose

_DOCTYPES = ["", "<!DOCTYPE html>", "<!doctype html>", "<!DOCTYPE xhtml>"]
_TAGS = """
    html head title body p div span a b i table tbody tr td th ul li select option form input br img
    script style textarea h1 svg math button nobr frameset dd dt template
""".split()
_ATTRIBUTES = ["", ' a="1"', " a=1", " a", ' a="1" a="2"', ' xmlns="x"', " a='"]
_TEXTS = ["t", " ", "&amp;", "&copy", "&bad;", "&#65;", "&#0;", "<", "--", "\x00"]


def page(choose: Choose) -> str:
    """Something like a document type, and up to four pieces."""
    return str(choose(_DOCTYPES)) + pieces(choose, 0)


def pieces(choose: Choose, depth: int) -> str:
    """Up to four of elements, comments and text."""
    return "".join(piece(choose, depth) for _ in range(choose(range(5))))


def piece(choose: Choose, depth: int) -> str:
    """An element, a text, a comment, or an end of anything."""
    kind = choose(["element", "text", "comment", "end"] if depth < 4 else ["text", "comment"])
    if kind == "text":
        return str(choose(_TEXTS))
    if kind == "comment":
        return str(choose(["<!--c-->", "<!--c", "<!-- -- -->", "<?c>"]))
    tag = choose(_TAGS)
    if kind == "end":
        return f"</{tag}>"
    start = f"<{tag}{choose(_ATTRIBUTES)}{choose(['', '/'])}>"
    end = f"</{tag}>" if choose([True, False]) else ""
    return f"{start}{pieces(choose, depth + 1)}{end}"


@cache
def _html5lib() -> tuple[Any, type[Exception]]:
    from html5lib import HTMLParser
    from html5lib.html5parser import ParseError

    return HTMLParser, ParseError


def is_page(text: str) -> bool:
    """Whether it parses, errors being errors."""
    parser, error = _html5lib()
    try:
        parser(strict=True).parse(text)
    except error:
        return False
    return True


SUBJECTS = (Subject("html5lib", page, is_page, coverage=lambda: Coverage("html5lib"), needs=("html5lib",)),)
