"""The deep learners: the study of Jiang and Lemieux (2020), and their memory and speed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import torch

from benchmarks.campaigns import Method, Subject, run_with_curve
from benchmarks.deep import gpu, javascript, maven, memory
from benchmarks.strict import terms
from benchmarks.study import Part, Results, Row, Study, Task
from benchmarks.tables import build, checks, grouped, markdown, mean, spread, times
from rlcheck import abstractions
from rlcheck.learners import Diverse, MonteCarlo, Uniform, Zest
from rlcheck.learners.deep.dqn import Dqn, DqnConfig
from rlcheck.learners.deep.recurrent import Recurrent
from rlcheck.rewards import Novelty

# The paper's parameters, spelt out so that another default changes nothing here.
REWARD = Novelty(unique=20, valid=0, invalid=-1)
_WINDOW = 4
_SEQUENCE = partial(abstractions.Sequence, window=_WINDOW)
_PAPER = DqnConfig(window=_WINDOW, epsilon=0.25, temperature=0.0, replay=1, bootstrap=None)
#: How many points the curves have.
POINTS = 20

#: The paper's two, by the number of their table.
TABLES = {"maven": 1, "javascript": 2}
SUBJECTS = {
    subject.name: subject
    for subject in (
        Subject("maven", maven.document, maven.is_project, inputs=50_000),
        Subject("javascript", javascript.program, javascript.compiles, inputs=100_000),
        *terms.SUBJECTS,
    )
}
ROWS = {
    "Random": Method(Uniform),
    "RLCheck": Method(partial(MonteCarlo, epsilon=0.25), _SEQUENCE),
    "RLCheck, call tree": Method(partial(MonteCarlo, epsilon=0.25)),
    "Zest": Method(Zest),
    "DQN, as in the paper": Method(partial(Dqn, _PAPER), _SEQUENCE),
    "DQN": Method(Dqn),
    "DQN, intrinsic reward": Method(partial(Dqn, DqnConfig(curiosity=0.1))),
    "DQN, bootstrapped": Method(partial(Dqn, DqnConfig(bootstrap="monte-carlo"))),
    "Recurrent": Method(Recurrent),
    "Diverse": Method(Diverse),
}

#: Unique inputs and seconds in the paper's Tables 1 and 2, by subject and row.
PAPER = {
    ("maven", "Random"): (2, 5.64),
    ("maven", "RLCheck"): (8_553, 40.12),
    ("maven", "DQN"): (10_751, 1_076.83),
    ("maven", "DQN, intrinsic reward"): (11_619, 1_122.67),
    ("javascript", "Random"): (4_205, 1_253),
    ("javascript", "RLCheck"): (54_593, 1_477),
    ("javascript", "Zest"): (16_889, 1_253),
    ("javascript", "DQN"): (67_780, None),
    ("javascript", "DQN, intrinsic reward"): (18_936, 19_179),
}

_HEAD = """# The deep learners

The study of Jiang and Lemieux, "Test Input Generation Using Deep Q-Learning Based Generators", 2020, and
what was not in it. Mean ± standard error over the seeds of each row. Seconds are those of the CPU: the
machine was busy with other work, so that wall times say little.

Reproduce with `make bench-deep`; this page is of what is stored beside it, whose size is in the tables. A row
with one seed says little.

- *RLCheck* is `monte-carlo` with the paper's state, the last four choices; *call tree* is the same with the
  default, automatic state. *DQN, as in the paper* has its settings: the last four choices, epsilon 0.25, the
  best option.
- *DQN* and *Recurrent* are the learners with their defaults; *bootstrapped*: the first 1,000 episodes are
  those of `monte-carlo`. *Zest* sees branches of Python only: QuickJS, which compiles the JavaScript, has
  none.
"""


def measure(task: Task) -> list[Row]:
    """Run one row with one seed."""
    torch.set_num_threads(1)  # As many processes as cores share the machine.
    subject, method = SUBJECTS[task.subject], ROWS[task.method]
    _, curve, row = run_with_curve(method, subject, task, reward=REWARD, points=POINTS)
    return [
        {
            "subject": task.subject,
            "row": task.method,
            "inputs": task.inputs,
            "choices": curve.choices,
            "lengths": dict(sorted(curve.sizes.items())),
            "torch": torch.__version__,
            **row,
        }
    ]


def memory_of(task: Task) -> list[Row]:
    """Measure the memory of a row; `inputs` are choices here."""
    return [memory.measure(task.method, SUBJECTS[task.subject], ROWS[task.method], task.inputs, REWARD)]


def page(results: Results) -> str:
    """Return the page."""
    lines = [_HEAD]
    for subject in SUBJECTS:
        if rows := results.get(subject):
            lines += section(subject, rows)
    lines += memory_section(results["memory"]) if "memory" in results else []
    lines += gpu_section(results["gpu"]) if "gpu" in results else []
    return "\n".join(lines)


def section(subject: str, rows: Sequence[Row]) -> list[str]:
    """Return the part of the page on one subject."""
    runs = grouped(rows, "row")
    inputs = f"with {rows[0]['inputs']:,} inputs"
    if subject not in TABLES:
        title = f"## Beside the study: {subject} of the strict suite, {inputs}"
        return [title, "", *environments(rows), "", *table(subject, runs), ""]
    lines = [
        f"## {subject.title()}: the paper's Table {TABLES[subject]}, {inputs}",
        "",
        *environments(rows),
        "",
    ]
    lines += [*table(subject, runs), "", f"![Lengths of inputs, and how they came about]({subject}.svg)", ""]
    lines += ["*The paper's Figure 1 (left); its Figures 2 and 3 (right), the effect of bootstrapping.*", ""]
    lines += [*figures(subject, runs), ""]
    return lines + (stability(runs["Recurrent"]) if subject == "javascript" and "Recurrent" in runs else [])


def table(subject: str, runs: dict[str, list[Row]]) -> list[str]:
    """Return one line per row."""
    base = mean(runs["RLCheck"], "unique_valid") if "RLCheck" in runs else 0.0
    lines = []
    for name, group in runs.items():
        found = mean(group, "unique_valid")
        timed = [run for run in group if "cpu_seconds" in run]
        unique, seconds = PAPER.get((subject, name), (None, None))
        lines.append(
            [
                name,
                str(len(group)),
                spread(run["valid"] for run in group),
                spread(run["unique_valid"] for run in group),
                f"{found / group[0]['inputs']:.4f}",
                spread(run["cpu_seconds"] for run in timed) if timed else "",
                spread(run["unique_valid"] / run["cpu_seconds"] for run in timed) if timed else "",
                times(found, base, 2) if base else "",
                "" if unique is None else f"{unique / SUBJECTS[subject].inputs:.4f}",
                "" if unique is None or seconds is None else f"{unique / seconds:.3g}",
            ]
        )
    heads = ["row", "seeds", "valid", "unique valid", "unique / inputs", "seconds", "unique/s", "x RLCheck"]
    return markdown([*heads, "paper: unique / inputs", "unique/s"], lines)


def figures(subject: str, runs: dict[str, list[Row]]) -> list[str]:
    """Return what the study has to reach, and whether it did."""
    found = []
    learner = "DQN, bootstrapped" if subject == "maven" else "Recurrent"
    least = 1.2 if subject == "maven" else 1.0
    for base in ("RLCheck", "RLCheck, call tree"):
        if base not in runs or learner not in runs:
            continue
        ratio = mean(runs[learner], "unique_valid") / max(1.0, mean(runs[base], "unique_valid"))
        text = f"{learner}: {ratio:.2f} times the unique valid inputs of {base}; {least}"
        found.append((ratio >= least, text))
        timed = [[run for run in runs[name] if "cpu_seconds" in run] for name in (learner, base)]
        if subject == "maven" and all(timed):
            ratio = mean(timed[0], "cpu_seconds") / mean(timed[1], "cpu_seconds")
            found.append((ratio <= 4, f"{learner}: {ratio:.1f} times the seconds of {base}; at most 4"))
    if subject == "javascript" and "Recurrent" in runs:
        shares = [run["valid"] / run["inputs"] for run in runs["Recurrent"]]
        good = sum(share >= 0.6 for share in shares)
        text = f"Recurrent: {good} of {len(shares)} seeds reach 60 % valid; 10 of 10"
        found.append((good == len(shares) >= 10, text))
    return checks(found)


def stability(group: Sequence[Row]) -> list[str]:
    """Return the paper's Table 3: every run of the recurrent learner."""
    lines = []
    for run in group:
        inputs, valid, unique = run["inputs"], run["valid"], run["unique_valid"]
        counts = [str(run["seed"]), f"{valid:,}", f"{unique:,}", f"{inputs:,}"]
        shares = [f"{valid / inputs:.0%}", f"{unique / inputs:.0%}", f"{run['choices'] / inputs:.1f}"]
        lines.append([*counts, *shares])
    heads = ["seed", "valid", "unique valid", "inputs", "valid / inputs", "unique / inputs"]
    text = "The paper's six runs, of 358 to 14,706 inputs, were 4 to 84 % valid and 3 to 12 % unique."
    title = "### Stability: the paper's Table 3"
    return [title, "", text, "", *markdown([*heads, "choices per input"], lines, left=0), ""]


def memory_section(rows: Sequence[Row]) -> list[str]:
    """Return how memory grew."""
    lines, found = [], []
    for row in rows:
        shots = row["snapshots"]
        half, last = shots[len(shots) // 2 - 1], shots[-1]
        for shot in (shots[0], half, last):
            sizes = [f"{shot['resident'] / 1e6:.0f}", f"{shot['tensors'] / 1e6:.1f}", f"{shot['rows']:,}"]
            lines.append([row["row"], f"{shot['choices']:,}", *sizes])
        if not half["tensors"]:
            continue
        tensors, process = (last[name] / half[name] - 1 for name in ("tensors", "resident"))
        text = (
            f"{row['row']}: from {half['choices']:,} choices to {last['choices']:,}, tensors grew by"
            f" {tensors:.1%}; 0. The process grew by {process:.1%}; less than 1 %"
        )
        found.append((tensors == 0 and process < 0.01, text))
    text = (
        "The process, without what glibc keeps for later, and the networks on the JavaScript study. The"
        " process also holds the campaign: a digest of each unique input, and the states of the abstraction."
    )
    heads = ["row", "choices", "process, MB", "tensors, MB", "rows of the table"]
    return ["## Memory", "", text, "", *markdown(heads, lines), "", *checks(found), ""]


def gpu_section(rows: Sequence[Row]) -> list[str]:
    """Return choices per second by device."""
    lines, found = [], []
    for row in rows:
        place = [row["core"], f"{row['device']}: {row['name']}"]
        sizes = [str(row["width"]), str(row["layers"]), f"{row['lanes']:,}"]
        lines.append([*place, *sizes, f"{row['network']:,}", f"{row['all']:,}"])
    for core, group in grouped(rows, "core").items():
        speed = {row["device"]: row for row in group}
        if {"cpu", "cuda"} <= speed.keys():
            ratio, whole = (speed["cuda"][key] / speed["cpu"][key] for key in ("network", "all"))
            text = f"{core}: {ratio:.1f} times the choices/s of the network on the CPU; at least 10. In all,"
            found.append((ratio >= 10, f"{text} {whole:.1f} times"))
    heads = ["core", "device", "width", "layers", "lanes", "network, choices/s", "all, choices/s"]
    text = (
        "The same network, answering and learning in lock-step. *Network*: choices by the seconds in the"
        " network; *all*: by all seconds, generators included."
    )
    return ["## CPU and GPU", "", text, "", *markdown(heads, lines, left=2), "", *checks(found), ""]


def environments(rows: Sequence[Row]) -> list[str]:
    """Return what runs were made with; where that differs, which rows: their seconds do not compare."""
    made: dict[str, dict[str, None]] = {}
    for run in rows:
        packages = f"rlcheck {run['rlcheck']} {build(run)}, torch {run['torch']}, Python {run['python']}"
        where = f"{run['machine']}, {run.get('cpu', 'a CPU that was not noted')}"
        made.setdefault(f"{packages}, {where}", {})[run["row"]] = None
    if len(made) == 1:
        return [f"{text}." for text in made]
    return [f"- {text}: {'; '.join(names)}." for text, names in made.items()]


def draw(results: Results, folder: Path) -> None:
    """Draw the paper's Figure 1, and its Figures 2 and 3, of each of its subjects."""
    from matplotlib.figure import Figure

    from benchmarks import plots

    look = plots.looks(ROWS)
    for subject in [name for name in TABLES if name in results]:
        runs = grouped(results[subject], "row")
        figure = Figure(figsize=(10, 3.6), layout="constrained")
        left, right = figure.subplots(1, 2)
        for name, group in runs.items():
            counts: Counter[int] = Counter()
            for run in group:
                for length, count in run["lengths"].items():
                    counts[int(length) // 10 * 10] += count
            # A few inputs are a hundred times as long as most, and would leave these no room.
            lengths = sorted(length for length in counts if counts[length] >= 0.001 * counts.total())
            left.plot(lengths, [counts[length] / counts.total() for length in lengths], **look[name])
            columns = list(zip(*(run["curve"] for run in group), strict=True))
            unique = [[point[2] for point in column] for column in columns]
            plots.band(right, [column[0][0] for column in columns], unique, label=name, **look[name])
        left.set(xlabel="characters", ylabel="share of unique valid inputs", title="Lengths")
        right.set(xlabel="inputs", ylabel="unique valid inputs", title="How they came about")
        right.legend(fontsize=7)
        plots.save(figure, folder / f"{subject}.svg")


def _study_of(subject: str) -> Part:
    inputs = SUBJECTS[subject].inputs if subject in TABLES else 10_000
    more = {("javascript", "Recurrent"): 10}
    return Part(
        measure, [subject], list(ROWS), seeds=3, inputs=inputs, more_seeds=more, keys=("subject", "row")
    )


STUDY = Study(
    "deep",
    {
        **{subject: _study_of(subject) for subject in SUBJECTS},
        "memory": Part(
            memory_of, ["javascript"], memory.ROWS, inputs=1_000_000, fresh=True, keys=("subject", "row")
        ),
        "gpu": Part(
            gpu.measure,
            ["cpu", "cuda"],
            gpu.CORES,
            seconds=30.0,
            missing=gpu.missing,
            keys=("device", "core"),
        ),
    },
    page,
    draw,
)
