"""ABP's study: containers and HTML parsers, with tables as the paper has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.containers.html import HTML
from benchmarks.containers.measures import SUBJECTS, explore, hunt
from benchmarks.containers.methods import ABP, METHODS
from benchmarks.containers.subject import Subject
from benchmarks.containers.subjects import PACKAGES, PLANTED, TEXTBOOK
from benchmarks.study import Part, Results, Row, Study
from benchmarks.tables import build, grouped, markdown, mean, spread, verdict

MEASURES = {"paths": "PA", "shapes": "SH", "combinations": "PCT"}
#: The methods of the paper's Table I, and ours.
TABLE_I = (ABP, "RT", "SA", "portfolio")
#: Where the paper saw ABP beat random testing, and where it saw the opposite.
HEAPS, SEARCH_TREES = ("BinomialHeap", "FibHeap", "HeapArray"), ("AvlTree", "BinTree", "SplayTree")
#: Members of the portfolio that have a row of their own, besides RT.
MEMBERS = ("inheriting swarm", "recent")
#: How near to the best the project's own method is to come.
NEAR = 0.95
#: How many times the paths and shapes of random testing it is to cover of HTML parsers.
HTML_FACTOR = 2.0

#: Means by subject and method, for each measure.
Means = dict[str, dict[str, dict[str, float]]]

_HEAD = """# Containers and HTML parsers

Tests are sequences of 200 calls (25 tokens for HTML), with 20 values for arguments. Every method gets the
same processor time for each subject, and SA gets twice as much, as in the paper; this includes measuring. The
text above each table says how it was run; `make bench-containers` takes 30 seconds for each run, with 5
seeds. Short runs favour methods that do not learn. The methods of a subject take turns of about half a
second, each in its own process: processor time is worth less while other programs use the machine, and in
this way all methods lose the same.
rlcheck {rlcheck} **{build}**, Python {python}, {machine}.

PA: different paths that a call takes. SH: different shapes of the subject. PCT: different combinations of
the predicates of a function at a branch. RT: random testing. SA: shape-abstraction search. ABP:
`sarsa-lambda`, by its context. recent: the same on the last call. inheriting swarm: its tests copy the
preferences of earlier tests with a high reward. The members of `portfolio` are RT, recent and inheriting
swarm; for HTML, which has only one operation, the first two.

"""


def _details(rows: Sequence[Row]) -> str:
    number = len({row["seed"] for row in rows})
    over = f"means and standard errors of {number} seeds" if number > 1 else "one seed"
    seconds = f"{rows[0]['seconds']:g}"
    return (
        f"Paths, shapes and combinations of each method that was run, {seconds} seconds each, {over}"
        f" (`--part {rows[0]['study']} --seconds {seconds} --seeds {number}` of"
        " `python -m benchmarks containers`):"
    )


def means_of(rows: Sequence[Row]) -> Means:
    """The mean of each measure over seeds."""
    means: Means = {}
    for (subject, method), runs in grouped(rows, "subject", "method").items():
        means.setdefault(subject, {})[method] = {measure: mean(runs, measure) for measure in MEASURES}
    return means


def marks(found: dict[str, float]) -> dict[str, str]:
    """The marks of Table I: ✓✓ is the only best, ✓ one of several, x the only worst."""
    best, worst = max(found.values()), min(found.values())
    values = list(found.values())
    marked = {}
    for method, value in found.items():
        if value == best:
            marked[method] = "✓✓" if values.count(best) == 1 else "✓"
        else:
            marked[method] = "x" if value == worst and values.count(worst) == 1 else ""
    return marked


def table_one(means: Means) -> list[str]:
    """The paper's Table I: marks for each method and measure, and the most that any of them covered."""
    methods = [method for method in TABLE_I if any(method in found for found in means.values())]
    head = [f"{method} {short}" for method in methods for short in MEASURES.values()]
    lines = []
    for subject, found in means.items():
        cells: dict[tuple[str, str], str] = {}
        most = []
        for measure in MEASURES:
            values = {method: found[method][measure] for method in methods if method in found}
            cells |= {(method, measure): mark for method, mark in marks(values).items()}
            ordered = sorted(values.values(), reverse=True)
            second = ordered[1] if len(ordered) > 1 else ordered[0]
            most.append(f"{ordered[0]:,.0f} ({ordered[0] - second:,.0f})")
        row = [cells.get((method, measure), "") for method in methods for measure in MEASURES]
        lines.append([subject, *row, *most])
    heads = ["subject", *head, "max PA (Δ)", "max SH (Δ)", "max PCT (Δ)"]
    return markdown(heads, lines, left=len(heads))


def table_all(rows: Sequence[Row]) -> list[str]:
    """Every method: paths / shapes / combinations, and how many calls it made."""
    methods = list(grouped(rows, "method"))
    runs = grouped(rows, "subject", "method")
    lines = []
    for subject in grouped(rows, "subject"):
        cells = []
        for method in methods:
            found = runs.get((subject, method), [])
            counts = (spread((run[measure] for run in found), 0) for measure in MEASURES)
            cells.append("<br>".join(counts) if found else "")
        lines.append([subject, *cells])
    return markdown(["subject", *methods], lines)


def table_two(rows: Sequence[Row], subject: str = "BinomialHeap") -> list[str]:
    """The paper's Table II: which calls ABP makes, by quarters of its time."""
    runs = [row for row in rows if row["subject"] == subject and row["method"] == ABP]
    if not runs:
        return []
    lines = []
    for number, quarter in enumerate(runs[0]["quarters"], 1):
        calls = ", ".join(f"`{call}` {share:.1f}" for call, share in quarter[:6])
        lines.append([str(number), calls])
    return markdown(["quarter", f"calls by {ABP} on {subject}, % of all"], lines, left=2)


def verdicts(means: Means) -> list[str]:
    """What of the figures that were asked for is reached."""
    both = [name for name, found in means.items() if ABP in found and "RT" in found]
    lines = [_against(means, name, ABP, "RT") for name in HEAPS if name in both]
    lines += [_against(means, name, "RT", ABP) for name in SEARCH_TREES if name in both]
    if not all("portfolio" in found for found in means.values()):
        return lines
    return [
        *lines,
        _standing(means, "of all methods that were run", ()),
        _standing(means, f"of all but its own members `{'` and `'.join(MEMBERS)}`", MEMBERS),
    ]


def _standing(means: Means, among: str, without: tuple[str, ...]) -> str:
    """In how many cells the portfolio is near the best."""
    behind = []
    for subject, every in means.items():
        found = {method: values for method, values in every.items() if method not in without}
        for measure, short in MEASURES.items():
            winner = max(found, key=lambda name: found[name][measure])
            share = found["portfolio"][measure] / found[winner][measure]
            if share < NEAR:
                behind.append(f"{subject} {short} ({share:.0%} of {winner})")
    cells = len(means) * len(MEASURES)
    return (
        f"- `portfolio` is best or within 5 % of the best {among} in {cells - len(behind)} of {cells} cells."
        f" Behind: {', '.join(behind) or 'none'}."
    )


def _against(means: Means, subject: str, ours: str, theirs: str, *, least: float = 1.0) -> str:
    ratios = {
        measure: means[subject][ours][measure] / max(1.0, means[subject][theirs][measure])
        for measure in ("paths", "shapes")
    }
    met = verdict(min(ratios.values()) > least)
    return (
        f"- {subject}: {ours} covers {ratios['paths']:.2f} times the paths and {ratios['shapes']:.2f} times"
        f" the shapes of {theirs}: {met}."
    )


def bugs(rows: Sequence[Row]) -> list[str]:
    """How often each planted bug was found, and how short its snippet is."""
    lines = []
    for subject, runs in grouped(rows, "subject").items():
        found = [row for row in runs if row["found"]]
        longest = max((row["calls"] for row in found), default=0)
        failing = sum(row["fails"] for row in found)
        seconds = f"{mean(runs, 'spent'):.2f}"
        lines.append([subject, f"{len(found)} of {len(runs)}", seconds, str(longest), str(failing)])
    heads = ["bug", "found", "seconds, mean", "calls, most", "snippets that fail"]
    example = next((row["snippet"] for row in rows if row["found"]), "")
    text = ["One of them:", "", "```python", *example.splitlines(), "```"]
    return [*markdown(heads, lines), "", *text]


def html(means: Means) -> list[str]:
    """Each method over random testing, and whether ours covers as much more as was asked for."""
    lines = []
    for subject, found in means.items():
        for method in [name for name in found if name != "RT" and "RT" in found]:
            ratios = [found[method][what] / max(1.0, found["RT"][what]) for what in ("paths", "shapes")]
            lines.append([subject, method, *(f"{ratio:.2f}" for ratio in ratios)])
    table = markdown(["subject", "method", "paths over RT", "shapes over RT"], lines, left=2)
    both = [name for name, found in means.items() if "portfolio" in found and "RT" in found]
    aim = f"{HTML_FACTOR:g} times the paths and the shapes of RT were asked for:"
    reached = [_against(means, name, "portfolio", "RT", least=HTML_FACTOR) for name in both]
    return [*table, "", aim, "", *reached]


def page(results: Results) -> str:
    """Return the page."""
    first = next(iter(results.values()))[0]
    text = [_HEAD.format(**first, build=build(first))]
    for study, title in (("textbook", "The paper's fifteen"), ("packages", "Containers from PyPI")):
        if rows := results.get(study):
            means = means_of(rows)
            text += [f"## {title}", "", *table_one(means), "", *verdicts(means), ""]
            text += [_details(rows), "", *table_all(rows), ""]
            if study == "textbook":
                text += ["### Which calls ABP makes", "", *table_two(rows), ""]
    if rows := results.get("contexts"):
        text += ["## The six contexts of ABP", "", _details(rows), "", *table_all(rows), ""]
    if rows := results.get("html"):
        # Its one context is the text so far, whatever the method says.
        rows = [row | {"method": row["method"].replace("ABP Shape", "ABP text")} for row in rows]
        text += ["## HTML", "", _details(rows), "", *table_all(rows), "", *html(means_of(rows)), ""]
    if rows := results.get("bugs"):
        text += ["## Planted bugs", "", *bugs(rows)]
    return "\n".join(text)


def _fits_html(subject: str, method: str) -> bool:
    """Whether a method differs from the others: there is one context, the text."""
    return not method.startswith("ABP ") or method == "ABP Shape"


def _missing(subject: str) -> list[str]:
    return [SUBJECTS[subject].package] if SUBJECTS[subject].is_missing else []


def _names(subjects: Sequence[Subject]) -> list[str]:
    return [subject.name for subject in subjects]


CONTEXTS = [method for method in METHODS if method.startswith("ABP ") or method == "RT"]
_COMMON: dict[str, Any] = {"seeds": 5, "seconds": 30.0, "together": True, "missing": _missing}

STUDY = Study(
    "containers",
    {
        "textbook": Part(explore, _names(TEXTBOOK), list(METHODS), **_COMMON),
        "contexts": Part(explore, _names(TEXTBOOK), CONTEXTS, **_COMMON | {"seeds": 1, "seconds": 2.0}),
        "packages": Part(explore, _names(PACKAGES), list(METHODS), **_COMMON),
        "html": Part(explore, _names(HTML), list(METHODS), **_COMMON, fits=_fits_html),
        "bugs": Part(hunt, _names(PLANTED), ["portfolio"], seeds=10, seconds=30.0),
    },
    page,
)
