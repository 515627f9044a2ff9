"""Generators and simulators that nobody here wrote, each a function of a `random.Random`.

The first eight of `PROGRAMS` were chosen for having branches left to find after 1,000 plain draws; `graphs`
and `machines`, chosen earlier, have hardly any. The others refuse most of what plain draws make.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from random import Random
from types import SimpleNamespace
from typing import Any

from rlcheck.errors import Rejected


@dataclass(frozen=True, slots=True)
class Program:
    """What draws, what is covered, and the packages it needs."""

    run: Callable[[Random], object]
    covers: str
    needs: tuple[str, ...]
    #: How many draws its study has: where plain ones soon leave nothing to find, few.
    draws: int = 100_000


def graphs(rng: Random) -> object:
    """NetworkX's random graphs into its planarity test."""
    import networkx

    graph = networkx.gnp_random_graph(rng.randint(1, 9), rng.random(), seed=rng)
    return networkx.check_planarity(graph, counterexample=True)


def modules(rng: Random) -> object:
    """Modules of pysource-codegen into the unparser and the compiler of Python."""
    import ast

    from pysource_codegen import _codegen

    plain = _codegen.random
    # It makes its own generator of a seed: it is handed ours.
    _codegen.random = SimpleNamespace(Random=lambda seed: rng)
    try:
        tree = _codegen.generate_ast(0, node_limit=25, depth_limit=5)
    finally:
        _codegen.random = plain
    try:
        return compile(ast.unparse(tree), "<made>", "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Rejected from error


def records(rng: Random) -> object:
    """Faker's records into PyYAML's emitter, in a style that is drawn too, and back through its parser."""
    import yaml
    from faker import Faker

    fake = Faker()
    fake.random = rng
    kinds = [str, int, float, bool, "date_time", "uri", "text", "pystr_format", "date_object"]
    record = fake.pydict(
        nb_elements=4, value_types=rng.sample(kinds, rng.randint(1, 4)), allowed_types=[str, int]
    )
    written = yaml.safe_dump(
        record,
        default_style=rng.choice([None, "'", '"', "|", ">"]),
        default_flow_style=rng.choice([None, True, False]),
        width=rng.choice([10, 80]),
        indent=rng.choice([None, 4]),
        allow_unicode=rng.random() < 0.5,
        explicit_start=rng.random() < 0.5,
    )
    assert yaml.safe_load(written) == record
    return written


def machines(rng: Random) -> object:
    """Customers and breakdowns on SimPy's resources: arrivals, priorities, patience and stores are drawn."""
    import simpy

    env = simpy.Environment()
    server = simpy.PreemptiveResource(env, capacity=rng.randint(1, 2))
    tank = simpy.Container(env, capacity=10, init=rng.randint(0, 10))
    shelf = simpy.FilterStore(env, capacity=3)

    def customer(number: int) -> Any:
        yield env.timeout(rng.expovariate(1.0))
        priority, preempt = rng.randint(0, 2), rng.random() < 0.5
        try:
            with server.request(priority=priority, preempt=preempt) as request:
                found = yield request | env.timeout(rng.uniform(0.0, 3.0))
                if request in found:
                    yield env.timeout(rng.expovariate(0.8))
                    yield (tank.get if rng.random() < 0.5 else tank.put)(rng.randint(1, 6)) | env.timeout(1.0)
                    yield shelf.put(number) & env.timeout(0.1) | env.timeout(1.0)
                    wanted = rng.randint(0, 5)
                    yield shelf.get(lambda item: item == wanted) | env.timeout(rng.random())
        except simpy.Interrupt:
            pass

    for number in range(rng.randint(1, 6)):
        env.process(customer(number))
    env.run(until=20)
    return env.now


def matchings(rng: Random) -> object:
    """NetworkX's random graphs, with weights, into its maximal matching."""
    import networkx

    graph = networkx.gnp_random_graph(rng.randint(1, 12), rng.random(), seed=rng)
    for one, other in graph.edges:
        graph[one][other]["weight"] = rng.randint(-3, 9)
    return networkx.max_weight_matching(graph, maxcardinality=rng.random() < 0.5)


def dates(rng: Random) -> object:
    """Faker's dates, written in a format that is drawn too, into dateutil's parser."""
    from dateutil import parser
    from faker import Faker

    fake = Faker()
    fake.random = rng
    pieces = [*(f"%{letter}" for letter in "YmdHMSbBApyjZz"), *"-/:T,.Z "]
    form = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 9)))
    options = {name: rng.random() < 0.5 for name in ("dayfirst", "yearfirst", "fuzzy")}
    try:
        return parser.parse(fake.date_time().strftime(form), **options)
    except (ValueError, OverflowError) as error:
        raise Rejected from error


def mails(rng: Random) -> object:
    """Headers of Faker's words, names and addresses into Python's parser of mails, and out again."""
    import email
    from email import policy

    from faker import Faker

    fake = Faker()
    fake.random = rng
    names = ["From", "To", "Cc", "Sender", "Date", "Subject", "Message-ID", "MIME-Version", "Content-Type"]
    makers = [
        fake.ascii_email,
        fake.name,
        fake.date,
        fake.text,
        fake.uri,
        fake.mime_type,
        lambda: f'"{fake.name()}" <{fake.email()}>',
        lambda: f'{fake.mime_type()}; charset="{fake.word()}"; boundary={fake.word()}',
        lambda: fake.bothify("?#?#?#??", letters='ab=;:"<>@,()[]'),
    ]
    lines = [f"{rng.choice(names)}: {rng.choice(makers)()}\n" for _ in range(rng.randint(1, 4))]
    message = email.message_from_string(f"{''.join(lines)}\n{fake.text()}", policy=policy.default)
    for value in message.values():
        str(value)
    message.get_body()
    return message.as_string()


def pages(rng: Random) -> object:
    """Faker's sentences with marks between them into markdown-it, and out as HTML."""
    from faker import Faker
    from markdown_it import MarkdownIt

    fake = Faker()
    fake.random = rng
    starts = [
        "",
        "# ",
        "- ",
        "1. ",
        "> ",
        "    ",
        "```\n",
        "| a | b |\n|--|--|\n| ",
        "***\n",
        "=====\n",
        "<p>",
    ]
    marks = [
        "*",
        "**",
        "`",
        "[",
        "](",
        ")",
        "![",
        "~~",
        "\\",
        "&amp;",
        "<",
        ">",
        " ",
        "\n",
        "\n\n",
        "http://",
    ]
    text = ""
    for _ in range(rng.randint(1, 6)):
        text += rng.choice(starts) + fake.word()
        text += "".join(rng.choice(marks) + fake.word() for _ in range(rng.randint(0, 5))) + "\n"
    return MarkdownIt(rng.choice(["commonmark", "js-default", "zero"])).render(text)


def requirements(rng: Random) -> object:
    """Strings of rstr, by a loose pattern, into the parser of Python's packaging."""
    from packaging.requirements import InvalidRequirement, Requirement
    from rstr import Rstr

    marks = r"\[|\]|,|;|@|\(|\)|<=|>=|==|~=|!=|[0-9]|[.*]|'|\"|[ab]|\+|!"
    words = "python_version|extra|os_name|and|or|in|not"
    try:
        return Requirement(Rstr(rng).xeger(rf"[a-z][a-z0-9.]{{0,3}}( ?({marks}|{words})){{0,12}}"))
    except InvalidRequirement as error:
        raise Rejected from error


def isodates(rng: Random) -> object:
    """Strings of rstr into dateutil's parser of ISO dates."""
    from dateutil.parser import isoparse
    from rstr import Rstr

    try:
        return isoparse(Rstr(rng).rstr("0123456789-:TWZ+.,", 4, 20))
    except ValueError as error:
        raise Rejected from error


def regexes(rng: Random) -> object:
    """Strings of rstr into Python's parser of regular expressions."""
    import re
    from re import _parser  # type: ignore[attr-defined]

    from rstr import Rstr

    try:
        return _parser.parse(Rstr(rng).rstr("ab01(){}[]<>?*+|^$.-\\:=!P,ndwAbZ#xi", 1, 25))
    except (re.error, OverflowError) as error:
        raise Rejected from error


def settings(rng: Random) -> object:
    """Strings of rstr into Python's parser of TOML."""
    import tomllib

    from rstr import Rstr

    try:
        return tomllib.loads(Rstr(rng).rstr("ab01=[]{}\"'.,\n #-_:TZ+\\ux", 1, 40))
    except ValueError as error:
        raise Rejected from error


def sources(rng: Random) -> object:
    """Words of C, put together by rstr, into pycparser."""
    from pycparser.c_parser import CParser, ParseError
    from rstr import Rstr

    words = "int|char|struct|typedef|void|enum|union|static|const|if|else|while|for|return|goto|switch|case"
    marks = r"a|b|1|'x'|;|\{|\}|\(|\)|\[|\]|=|\+|\*|,|:|\?"
    try:
        return CParser().parse(Rstr(rng).xeger(f"(({words}|{marks}) ){{1,20}}"))
    except (ParseError, AssertionError) as error:
        raise Rejected from error


def templates(rng: Random) -> object:
    """Words of Jinja, put together by rstr, into its compiler."""
    import jinja2
    from rstr import Rstr

    words = "if|endif|for|endfor|in|else|set|not|and|is|defined|block|endblock|macro|endmacro|raw|endraw"
    marks = r"\{%|%\}|\{\{|\}\}|=|a|b|1|'x'|\||\(|\)|\.|,|==|\+|~"
    try:
        return jinja2.Environment().compile(Rstr(rng).xeger(f"(({words}|{marks}) ?){{1,20}}"))
    except jinja2.TemplateError as error:
        raise Rejected from error


PROGRAMS = {
    "dates": Program(dates, "dateutil.parser", ("dateutil", "faker")),
    "graphs": Program(graphs, "networkx.algorithms.planarity", ("networkx",), draws=1_000),
    "machines": Program(machines, "simpy", ("simpy",), draws=1_000),
    "mails": Program(mails, "email", ("faker",)),
    "matchings": Program(matchings, "networkx.algorithms.matching", ("networkx",)),
    "modules": Program(modules, "ast", ("pysource_codegen",)),
    "pages": Program(pages, "markdown_it", ("faker", "markdown_it")),
    "records": Program(records, "yaml", ("faker", "yaml")),
    "isodates": Program(isodates, "dateutil.parser.isoparser", ("dateutil", "rstr")),
    "regexes": Program(regexes, "re", ("rstr",)),
    "requirements": Program(requirements, "packaging", ("packaging", "rstr")),
    "settings": Program(settings, "tomllib", ("rstr",)),
    "sources": Program(sources, "pycparser", ("pycparser", "rstr")),
    "templates": Program(templates, "jinja2", ("jinja2", "rstr")),
}


def missing(name: str) -> list[str]:
    """Return the packages that a program needs and that are not installed."""
    return [package for package in PROGRAMS[name].needs if find_spec(package) is None]
