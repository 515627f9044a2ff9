"""JQF's Zest, its blind random mode and our learners on the same Java generators (RLCheck, section 5)."""

from __future__ import annotations

from statistics import median

from benchmarks.jqf.install import SUBJECTS, missing
from benchmarks.jqf.runs import LEARNERS, METHODS, ZEST, measure
from benchmarks.study import Part, Results, Row, Study
from benchmarks.tables import checks, grouped, markdown, mean, origin, spread

_HEAD = """# Zest and our learners on the same Java generators

Reproduce with `make bench-jqf`. It needs Java 17 and Maven.

JQF 2.0 as Maven Central has it, with its own generators of XML documents, JavaScript programs and class
files; 2.0 is the newest version of these. `zest` and `random` are ZestCLI without and with `-b`.
`monte-carlo` (RLCheck's algorithm) and `diverse` draw from the same generators through the Java client,
in one process with the generator by JPype. There a call from Java to Python takes 3 to 4 µs; a draw over
a pipe takes about 45 µs, and a process for each input would be far slower. Their state is the call stack
of the generator: for its four innermost frames, where each is and what was chosen in it. Letters of words
are not guided. `zest` sees branches all the time, `diverse` while nothing is valid, the others never.

Every run has {seconds:g} s of processor time, with the start of the virtual machine: {seeds} runs each,
mean and standard error. ZestCLI takes no seed, so its runs cannot be repeated exactly. Every different
valid input is kept and replayed on one copy of the subject that notes branches. *Unique* inputs differ in
their text, *diverse* ones in their trace: the branches taken, with counts as powers of two. *Branches*
are those of valid inputs. Ant only parses: no task is ever executed.
"""
_PAPER = """
## The paper's figures

RLCheck's Figures 6 to 8 show ten runs of five minutes each. They are curves; the text says of them:

| | diverse valid inputs (Figures 6 and 7) | branches by valid inputs (Figure 8) |
|---|---|---|
| Ant | ahead where RLCheck finds a first valid input | Zest; RLCheck slightly above in such runs |
| Maven | RLCheck by orders of magnitude | RLCheck first, Zest at the end |
| Rhino | RLCheck 1.4 times QuickCheck; both ahead of Zest | QuickCheck slightly ahead |
| Closure | RLCheck by orders of magnitude | QuickCheck and RLCheck equal |

Table 1, time until a fault is found and share of runs that find it:

| | RLCheck | QuickCheck | Zest |
|---|---:|---:|---:|
| Ant #1 | 41 s, 50 % | 178 s, 10 % | 123 s, 90 % |
| Closure #2 | 1 s, 100 % | 1.2 s, 100 % | 23 s, 60 % |
| Rhino #3 | 95 s, 90 % | 62 s, 70 % | 276 s, 10 % |
| Rhino #4 | 11 s, 100 % | 1 s, 100 % | 30 s, 100 % |
| Rhino #5 | - | 3 s, 100 % | 80 s, 100 % |
| Rhino #6 | - | 96 s, 20 % | - |

BCEL is not in the paper.
"""


def _line(method: str, rows: list[Row]) -> list[str]:
    inputs = [row["valid"] + row["invalid"] for row in rows]
    cells = [method, spread(inputs), spread([row["valid"] for row in rows])]
    return cells + [spread([row[what] for row in rows]) for what in ("unique", "traces", "branches")]


def _faults(rows: list[Row]) -> list[str]:
    """Return a line for each fault: who found it, how often and when."""
    lines = []
    for name in dict.fromkeys(name for row in rows for name in row["faults"]):
        cells = []
        for runs in grouped(rows, "method").values():
            times = [row["faults"][name] for row in runs if name in row["faults"]]
            cells.append(f"{median(times):.1f} s ({len(times)} of {len(runs)})" if times else "-")
        lines.append([f"{rows[0]['subject']}: {name}", *cells])
    return lines


def _targets(rows: list[Row]) -> list[str]:
    """Return the aims of the study, each met or missed by the best of our learners."""
    figures = []
    for what, title in (("traces", "diverse valid inputs"), ("branches", "branches by valid inputs")):
        for learner in LEARNERS:
            ahead = []
            for subject, runs in grouped(rows, "subject").items():
                by_method = grouped(runs, "method")
                if {learner, ZEST} <= by_method.keys():
                    ours, theirs = (mean(by_method[one], what) for one in (learner, ZEST))
                    if ours > theirs or (what == "branches" and ours == theirs):
                        ahead.append(subject)
            met = len(ahead) >= (len(SUBJECTS) if what == "traces" else len(SUBJECTS) - 1)
            more = "more" if what == "traces" else "at least as many"
            than = "than" if what == "traces" else "as"
            figures.append(
                (met, f"`{learner}` has {more} {title} {than} `zest` on {', '.join(ahead) or 'none'}")
            )
    return checks(figures)


def page(results: Results) -> str:
    """Return the page."""
    rows = results["runs"]
    seeds = len(grouped(rows, "seed"))
    parts = [_HEAD.format(seconds=rows[0]["seconds"], seeds=seeds), origin(rows), ""]
    heads = ["method", "inputs", "valid", "unique valid", "diverse valid", "branches"]
    for subject, runs in grouped(rows, "subject").items():
        lines = [_line(method, group) for method, group in grouped(runs, "method").items()]
        parts += [f"## {subject}", "", *markdown(heads, lines), ""]
    faults = [line for runs in grouped(rows, "subject").values() for line in _faults(runs)]
    methods = list(grouped(rows, "method"))
    parts += ["## Faults", "", "Median processor time until a fault is found, and in how many runs.", ""]
    parts += markdown(["fault", *methods], faults) if faults else ["None."]
    parts += ["", "## Aims", "", *_targets(rows), _PAPER]
    return "\n".join(parts)


STUDY = Study(
    "jqf", {"runs": Part(measure, list(SUBJECTS), METHODS, seeds=3, seconds=20.0, missing=missing)}, page
)
