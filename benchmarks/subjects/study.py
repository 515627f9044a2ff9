"""RLCheck's evaluation on real subjects: diverse valid inputs, branches and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks import tables
from benchmarks.study import Part, Results, Row, Study
from benchmarks.subjects.measure import GREY, METHODS, measure
from benchmarks.subjects.subjects import SUBJECTS
from benchmarks.tables import markdown, origin, spread, times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OURS = ("diverse", "portfolio")
RLCHECK, ZEST, PORTFOLIO = "monte-carlo", "zest", "portfolio"
#: The subjects by which the brevity of `diverse`, and the constants and goals of `portfolio` were chosen.
TUNED = {
    "diverse": ("tomllib", "pycparser", "wasmtime", "sqlite3", "rhino"),
    "portfolio": (
        *("tomllib", "pycparser", "graphql", "openapi", "html5lib", "wasmtime", "sqlite3", "compile"),
        *("rdkit", "ant", "maven", "rhino"),
    ),
}
#: How much of what the best method finds is nearly as much.
_NEARLY = 0.8
#: How many runs it takes to say how reliably a fault is found.
_ENOUGH = 10
#: Why the aims are missed where they are.
_WHY = """Two things decide: how many inputs a second a method makes, and how many are diverse and valid.
`diverse` computes more for each choice than `monte-carlo`, and wins where that brings more than it costs.
What `portfolio` loses was looked at on sqlite3 and tomllib: its first turns, in which it finds out who is
best, and those that it gives to the others later. That this is why it is behind elsewhere is a guess; on slow
subjects a short run has few turns beyond the first ones. Until an input is valid, it pays for branches in
all turns. On openapi short inputs take the same branches: there `brevity` cost `diverse` more than it gained.
Three times as many as `monte-carlo` are out of reach where a third of its inputs count already, and it makes
more of them in a second. `zest` gives all its time to branches; in `portfolio` it has as much as they are
worth beside unique inputs and new traces, and its queue grows the more slowly.
"""

_HUNTS = """ Columns with seconds are
of runs for faults alone: `python -m benchmarks subjects --part faults`."""

#: Rows by subject and method, one per seed.
Runs = dict[str, dict[str, list[Row]]]

_HEAD = """# The RLCheck evaluation, on real subjects

Software that nobody here wrote, each with a naive generator that is the same for every method.
A valid input is *diverse* when no earlier one had its trace: its branches, each with how often it was taken,
to the power of two. Compiled subjects have no branches to see; there it is a structure that no earlier input
had (canonical SMILES, EXPLAIN's opcodes, ...), and `zest` mutates valid inputs. `zest` and
`monte-carlo (grey-box)` pay for coverage while they run, `portfolio` in the turns of `zest`, in one of eight
others, and until something is valid; the rest run at full speed, and the traces of what they found are taken
afterwards. The stored runs are of `diverse` before it was rewritten, with an option that it no longer has:
`brevity=3`, here and in `portfolio`, since shorter inputs take less time.
`portfolio` has `clock=time.process_time`: its turns go by what members yield by the second. Brevity was
chosen on {diverse}; what is a find of `portfolio`, and its constants, on
{portfolio}.
No other subject was looked at for them.
Seconds are those of the processor, after a second of random inputs that do not count. Figures are means ±
standard errors over seeds.

{origin}
{seconds:.3g} s per run, on a machine that was busy with other things, which makes a second of the processor
worth less: methods of one subject may differ by a fifth for that alone. `make bench-subjects` runs ten seeds
of a minute each.

"""


def grouped(rows: Sequence[Row]) -> Runs:
    """Return rows by subject and method, in the order in which they are stored."""
    by_subject = tables.grouped(rows, "subject")
    return {subject: tables.grouped(found, "method") for subject, found in by_subject.items()}


def finals(rows: Sequence[Row], key: str) -> list[float]:
    """What runs came to."""
    return [row["points"][-1][key] for row in rows]


def mean(runs: dict[str, list[Row]], method: str, key: str) -> float:
    """What the runs of a method came to, on average."""
    return tables.estimate(finals(runs[method], key))[0]


def has_branches(runs: dict[str, list[Row]]) -> bool:
    """Whether the subject is one with branches."""
    return next(iter(runs.values()))[0]["points"][-1]["branches"] is not None


def table(runs: Runs, key: str, cell: Callable[[Sequence[Row]], str]) -> list[str]:
    """A Markdown table with a line for each subject; the best method's cell is bold."""
    methods = list(dict.fromkeys(method for found in runs.values() for method in found))
    lines = []
    for subject, found in runs.items():
        best = max(mean(found, method, key) for method in found)
        cells = []
        for method in methods:
            text = cell(found[method]) if found.get(method) else ""
            cells.append(f"**{text}**" if text and best and mean(found, method, key) == best else text)
        lines.append([subject, *cells])
    return markdown(["subject", *methods], lines)


def diverse_cell(rows: Sequence[Row]) -> str:
    """Diverse valid inputs, and how many of all inputs they are."""
    share = sum(finals(rows, "diverse")) / max(sum(finals(rows, "inputs")), 1)
    return f"{spread(finals(rows, 'diverse'), 0)} ({share:.1%})"


def branches_cell(rows: Sequence[Row]) -> str:
    """Branches that valid inputs took."""
    return spread(finals(rows, "branches"), 0)


def verdicts(runs: Runs, hunts: Runs) -> list[str]:
    """What was aimed at, and on which subjects it was reached."""
    most, thrice, covered = [], [], []
    branching = [subject for subject, found in runs.items() if has_branches(found)]
    for subject, found in runs.items():
        ours = max(mean(found, method, "diverse") for method in OURS)
        if ours and ours >= max(mean(found, method, "diverse") for method in found):
            most.append(subject)
        if ours and ours >= 3 * mean(found, RLCHECK, "diverse"):
            thrice.append(subject)
        if subject in branching and mean(found, PORTFOLIO, "branches") >= mean(found, ZEST, "branches"):
            covered.append(subject)
    return [
        _verdict("`diverse` or `portfolio` has the most diverse valid inputs", most, list(runs)),
        _verdict("it has at least 3 times those of `monte-carlo`", thrice, list(runs)),
        _verdict("`portfolio` covers at least the branches of `zest` by valid inputs", covered, branching),
        *_reliability(runs, hunts),
        *_near(runs),
    ]


def reasons(runs: Runs) -> list[str]:
    """Where another method has more diverse valid inputs: who is faster, and whose inputs are better."""
    lines = []
    for subject, found in runs.items():
        ours = max(OURS, key=lambda method: mean(found, method, "diverse"))
        best = max(found, key=lambda method: mean(found, method, "diverse"))
        if best not in OURS and mean(found, best, "diverse"):
            lines.append(f"- {subject}: {_pace(found, best)}; {_pace(found, ours)}.")
    return lines or ["There is no such subject."]


def _pace(found: dict[str, list[Row]], method: str) -> str:
    inputs = mean(found, method, "inputs")
    speed = inputs / mean(found, method, "seconds")
    share = mean(found, method, "diverse") / inputs
    return f"`{method}` makes {speed:,.0f} inputs a second, {share:.1%} of them diverse and valid"


def _verdict(claim: str, reached: Sequence[str], of: Sequence[str]) -> str:
    rest = [subject for subject in of if subject not in reached]
    return f"- {claim}: on {len(reached)} of {len(of)} subjects" + (
        f"; not on {', '.join(rest)}." if rest else "."
    )


def _reliability(runs: Runs, hunts: Runs) -> list[str]:
    shares, fewest = [], _ENOUGH
    for subject, found in with_hunts(runs, hunts).items():
        rows = hunts[subject][PORTFOLIO] if subject in hunts else found[PORTFOLIO]
        for where in faults(found):
            shares.append(sum(where in row["faults"] for row in rows) / len(rows))
            fewest = min(fewest, len(rows))
    if not shares:
        return ["- No method found a fault."]
    some = sum(map(bool, shares))
    claim = f"- of {len(shares)} faults that any method found, `portfolio` found {some} in some run"
    if fewest < _ENOUGH:
        return [f"{claim}. Whether it finds them in 8 of 10 runs, fewer than {_ENOUGH} runs cannot say."]
    return [f"{claim}, and {sum(share >= 0.8 for share in shares)} in at least 8 of 10 runs."]


def with_hunts(runs: Runs, hunts: Runs) -> Runs:
    """The runs, with those that were made to see how reliably faults are found as one more method."""
    found = {subject: dict(methods) for subject, methods in runs.items()}
    for subject, methods in hunts.items():
        for method, rows in methods.items():
            found[subject][f"{method}, {rows[0]['seconds']:.3g} s"] = rows
    return found


def _near(runs: Runs) -> list[str]:
    """On how many subjects `portfolio` is nearly as good as the best method: of all, and held out."""
    lines = []
    for what, chosen in (("", False), (" that had no part in its constants", True)):
        subjects = [subject for subject in runs if not (chosen and subject in TUNED[PORTFOLIO])]
        shares = {}
        for subject in subjects:
            best = max(mean(runs[subject], method, "diverse") for method in runs[subject])
            if best:
                shares[subject] = mean(runs[subject], PORTFOLIO, "diverse") / best
        if not shares:
            continue
        near = [subject for subject, share in shares.items() if share >= _NEARLY]
        lines.append(
            f"- `portfolio` has at least {_NEARLY:.0%} of the diverse valid inputs of the best method,"
            f" whichever it is, on {len(near)} of the {len(shares)} subjects{what} where any were found;"
            f" the median is {median(shares.values()):.0%}."
        )
    return lines


def faults(found: dict[str, list[Row]]) -> list[str]:
    """All faults of a subject, those first that were found most often."""
    seen = Counter(where for rows in found.values() for row in rows for where in row["faults"])
    return sorted(seen, key=lambda where: (-seen[where], where))


def fault_table(runs: Runs) -> list[str]:
    """For each fault and method, in how many runs it was found, and when on average."""
    methods = list(dict.fromkeys(method for found in runs.values() for method in found))
    lines = []
    for subject, found in runs.items():
        for where in faults(found):
            cells = []
            for method in methods:
                rows = found.get(method, [])
                moments = [row["faults"][where] for row in rows if where in row["faults"]]
                when = f", {sum(moments) / len(moments):.1f} s" if moments else ""
                cells.append(f"{len(moments)}/{len(rows)}{when}" if rows else "")
            lines.append([subject, f"`{where.replace('|', '/')}`", *cells])
    return markdown(["subject", "fault", *methods], lines, left=2) if lines else ["None was found."]


def grey_table(runs: Runs) -> list[str]:
    """Grey-box monte-carlo over the black-box one."""
    keys = ("inputs", "diverse", "branches")
    lines = [
        [subject, *(times(mean(found, GREY, key), mean(found, RLCHECK, key), 2) for key in keys)]
        for subject, found in runs.items()
        if GREY in found and RLCHECK in found
    ]
    return markdown(["subject", "inputs", "diverse valid", "branches"], lines)


def page(results: Results) -> str:
    """Return the page of results, with runs of a study of faults alone."""
    rows = results["runs"]
    runs = grouped(rows)
    hunts = grouped([row for row in results.get("faults", []) if row["subject"] in runs])
    branching = {subject: found for subject, found in runs.items() if has_branches(found)}
    parts: list[tuple[str, list[str]]] = [
        ("What was aimed at", verdicts(runs, hunts)),
        ("Where another method has more diverse valid inputs", [_WHY, *reasons(runs)]),
        (
            "Diverse valid inputs (the paper's Figures 6 and 7)",
            [
                "In parentheses: of all inputs that the method made in its time.",
                "",
                *table(runs, "diverse", diverse_cell),
                "",
                "![Share of diverse valid inputs over time](share.svg)",
                "",
                "![Diverse valid inputs over time](diverse.svg)",
            ],
        ),
        (
            "Branches covered by valid inputs (Figure 8)",
            [
                *table(branching, "branches", branches_cell),
                "",
                "![Branches covered by valid inputs over time](branches.svg)",
            ],
        ),
        (
            "Grey-box over black-box monte-carlo (Figures 9 and 10)",
            [
                "`monte-carlo (grey-box)` is rewarded for new sets of branches. Its means over those of"
                " `monte-carlo`; below 1, branches do not pay. Its curves are dashed above.",
                "",
                *grey_table(branching),
            ],
        ),
        (
            "Faults (Table 1)",
            [
                "Told apart by the type of the exception and its place: in how many runs, and when."
                + (_HUNTS if hunts else ""),
                "",
                *fault_table(with_hunts(runs, hunts)),
            ],
        ),
    ]
    tuned = {learner: ", ".join(subjects) for learner, subjects in TUNED.items()}
    text = _HEAD.format(origin=origin(rows), seconds=rows[0]["seconds"], **tuned)
    return text + "\n\n".join(f"## {title}\n\n" + "\n".join(lines) for title, lines in parts) + "\n"


def draw(results: Results, folder: Path) -> None:
    """Draw the paper's Figures 6, 7 and 8, a panel for each subject."""
    from benchmarks import plots

    runs = grouped(results["runs"])
    look = plots.looks(METHODS)
    figures: dict[str, tuple[str, Callable[[Row], float | None]]] = {
        "share": (
            "diverse valid, % of inputs",
            lambda point: 100 * point["diverse"] / max(point["inputs"], 1),
        ),
        "diverse": ("diverse valid inputs", lambda point: point["diverse"]),
        "branches": ("branches by valid inputs", lambda point: point["branches"]),
    }
    for name, (label, of) in figures.items():

        def panel(axes: Axes, subject: str, of: Callable[[Row], float | None] = of) -> None:
            for method, rows in runs[subject].items():
                columns = list(zip(*(row["points"] for row in rows), strict=False))[::-2][::-1]
                seconds = [tables.mean(column, "seconds") for column in columns]
                values = [[of(point) or 0.0 for point in column] for column in columns]
                plots.band(axes, seconds, values, label=method, linewidth=1, **look[method])
            axes.locator_params(nbins=3)

        shown = [subject for subject, found in runs.items() if name != "branches" or has_branches(found)]
        plots.save(plots.panels(shown, panel, x="seconds", y=label), folder / f"{name}.svg")


def _fits(subject: str, method: str) -> bool:
    """Whether a method differs from the others: without branches, grey-box is black-box."""
    return SUBJECTS[subject].coverage is not None or method != GREY


def _missing(subject: str) -> list[str]:
    return SUBJECTS[subject].missing


STUDY = Study(
    "subjects",
    {
        "runs": Part(
            measure, list(SUBJECTS), list(METHODS), seeds=10, seconds=60.0, fits=_fits, missing=_missing
        ),
        "faults": Part(measure, list(SUBJECTS), [PORTFOLIO], seeds=10, seconds=60.0, missing=_missing),
    },
    page,
    draw,
)
