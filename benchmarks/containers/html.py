"""The HTML study: parsers that are fed a document token by token; the context is the text so far.

Each step adds a token and parses the whole text anew, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable
from html.parser import HTMLParser
from typing import Any

from benchmarks.containers.subject import Subject

#: What documents are made of: tags, brackets, and what stands between them.
TOKENS = (
    *("<", "</", ">", "/>", "<!--", "-->", "<!", "<?", "=", '"', "'", " ", "&", ";", "#x41", "text"),
    *("p", "div", "b", "i", "a", "table", "tr", "td", "ul", "li", "br", "script", "title", "h1", "select"),
)

#: Tokens in a document.
LENGTH = 25


class Events(HTMLParser):
    """Notes what the parser of the standard library reports."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The start of a tag."""
        self.seen.append(f"<{tag}{len(attrs)}")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag that is closed at once."""
        self.seen.append(f"/{tag}{len(attrs)}")

    def handle_endtag(self, tag: str) -> None:
        """The end of a tag."""
        self.seen.append(f">{tag}")

    def handle_data(self, data: str) -> None:
        """A text."""
        self.seen.append("t")

    def handle_comment(self, data: str) -> None:
        """A comment."""
        self.seen.append("c")

    def handle_decl(self, decl: str) -> None:
        """A declaration."""
        self.seen.append("d")

    def handle_pi(self, data: str) -> None:
        """A processing instruction."""
        self.seen.append("p")

    def unknown_decl(self, data: str) -> None:
        """A declaration that nobody knows."""
        self.seen.append("u")


class Document:
    """A text that grows, and what the standard library makes of it: its events, with texts erased."""

    def __init__(self) -> None:
        self.text = ""
        self.shape: tuple[str, ...] = ()

    def add(self, token: str) -> None:
        """Add a token, and parse the whole text."""
        self.text += token
        self.shape = tuple(self.parse())

    def parse(self) -> list[str]:
        """The shape of the text."""
        parser = Events()
        parser.feed(self.text)
        parser.close()
        return parser.seen


class Html5libDocument(Document):
    """The same by html5lib: the tags of its tree, by depth."""

    def parse(self) -> list[str]:
        """The shape of the text."""
        import html5lib

        found: list[str] = []
        _walk(html5lib.parse(self.text, namespaceHTMLElements=False), found)
        return found


class SoupDocument(Document):
    """The same by BeautifulSoup on the parser of the standard library."""

    def parse(self) -> list[str]:
        """The shape of the text."""
        from bs4 import BeautifulSoup

        return [
            tag.name + str(len(list(tag.parents)))
            for tag in BeautifulSoup(self.text, "html.parser").find_all()
        ]


def _walk(element: Any, found: list[str]) -> None:
    found.append(element.tag if isinstance(element.tag, str) else "c")
    for child in element:
        _walk(child, found)
    found.append(".")


def text_so_far(document: Document) -> Hashable:
    """The context."""
    return document.text


def parsed_shape(document: Document) -> Hashable:
    """The shape."""
    return document.shape


def _subject(name: str, kind: type[Document], coverage: tuple[str, ...], package: str = "") -> Subject:
    return Subject(
        name,
        kind,
        {"add": [TOKENS]},
        shape=parsed_shape,
        context=text_so_far,
        coverage=coverage,
        package=package,
        length=LENGTH,
        allowed=(AssertionError,),  # The standard library's way to give up on a broken declaration.
    )


HTML = [
    _subject("html.parser", Document, ("html.parser", "_markupbase")),
    _subject("html5lib", Html5libDocument, ("html5lib._tokenizer", "html5lib.html5parser"), "html5lib"),
    _subject("BeautifulSoup", SoupDocument, ("html.parser", "_markupbase", "bs4.builder._htmlparser"), "bs4"),
]
