"""Turns the stored runs of the study into its page: tables, figures met or missed, plots."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.deep import plots, stored
from benchmarks.deep.plots import Runs
from benchmarks.deep.sweep import ROWS, SUBJECTS

#: Valid, unique and seconds in the paper's Tables 1 and 2, by subject and row.
PAPER = {
    "maven": {
        "Random": (52, 2, 5.64),
        "RLCheck": (22_250, 8_553, 40.12),
        "DQN": (18_847, 10_751, 1_076.83),
        "DQN, intrinsic reward": (17_688, 11_619, 1_122.67),
    },
    "javascript": {
        "Random": (19_707, 4_205, 1_253),
        "RLCheck": (72_809, 54_593, 1_477),
        "Zest": (36_775, 16_889, 1_253),
        "DQN": (81_311, 67_780, None),
        "DQN, intrinsic reward": (46_336, 18_936, 19_179),
    },
}

_HEAD = """# The deep learners

The study of Jiang and Lemieux, "Test Input Generation Using Deep Q-Learning Based Generators", 2020, and
what was not in it. Mean ± standard error over the seeds of each row. Seconds are those of the CPU: the
machine was busy with other work, so that wall times say little.

Reproduce with `make bench-deep`, or a tenth of it with `python -m benchmarks.deep.run --quick`; this page is
of what is stored beside it, whose size is in the tables. A row with one seed says little.

- *RLCheck* is `monte-carlo` with the paper's state, the last four choices; *call tree* is the same with the
  default, automatic state. *DQN, as in the paper* has its settings: the last four choices, epsilon 0.25, the
  best option.
- *DQN* and *Recurrent* are the learners with their defaults; *bootstrapped*: the first 1,000 episodes are
  those of `monte-carlo`. *Zest* sees branches of Python only: QuickJS, which compiles the JavaScript, has
  none.
"""


def main(arguments: list[str] | None = None) -> None:
    """`python -m benchmarks.deep.analyse`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deep.analyse", description=__doc__)
    parser.add_argument(
        "--add", nargs="+", type=Path, default=[], metavar="FILE", help="runs of another machine to store"
    )
    for path in parser.parse_args(arguments).add:
        stored.add(path.stem, [json.loads(line) for line in path.read_text().splitlines()])
    folder = store.RESULTS / "deep"
    parts = [_HEAD]
    for subject in SUBJECTS:
        if not (folder / f"{subject}.jsonl").exists():
            continue
        runs = _grouped(store.read(f"deep/{subject}"))
        if SUBJECTS[subject].table is None:
            parts += beside(subject, runs)
        else:
            plots.draw(subject, runs, folder)
            parts += section(subject, runs)
    if (folder / "memory.jsonl").exists():
        parts += memory(store.read("deep/memory"))
    if (folder / "gpu.jsonl").exists():
        parts += gpu(store.read("deep/gpu"))
    (folder / "README.md").write_text("\n".join(parts))
    print("\n".join(line for line in "\n".join(parts).splitlines() if line.startswith(("- PASS", "- MISS"))))


def section(subject: str, runs: Runs) -> list[str]:
    """The part of the page on one subject."""
    first = next(iter(runs.values()))[0]
    lines = [
        f"## {subject.title()}: the paper's Table {SUBJECTS[subject].table}, with {first['inputs']:,} inputs",
        "",
        *_environments(runs),
        "",
        *table(subject, runs),
        "",
        f"![Lengths of inputs, and how they came about]({subject}.svg)",
        "",
        "*The paper's Figure 1 (left); its Figures 2 and 3 (right), the effect of bootstrapping.*",
        "",
        *(f"- {line}" for line in figures(subject, runs)),
        "",
    ]
    return lines + (stability(runs["Recurrent"]) if subject == "javascript" and "Recurrent" in runs else [])


def beside(subject: str, runs: Runs) -> list[str]:
    """The part of the page on a subject that is not the paper's."""
    first = next(iter(runs.values()))[0]
    return [
        f"## Beside the study: {subject} of the strict suite, with {first['inputs']:,} inputs",
        "",
        "The defaults of the deep learners were chosen on the two subjects above; this one was looked at to"
        " see what they break. Two things of `recurrent` were mended so: how it treats small advantages, on"
        " `lambda`; and that invalid inputs cost no length, on `arithmetic`.",
        "",
        *_environments(runs),
        "",
        *table(subject, runs),
        "",
    ]


def table(subject: str, runs: Runs) -> list[str]:
    """One line per row."""
    lines = [
        "| row | seeds | valid | unique valid | unique / inputs | seconds | unique/s | x RLCheck"
        " | paper: unique / inputs | unique/s |",
        "|---|" + "---:|" * 9,
    ]
    base = _mean(runs["RLCheck"], _unique) if "RLCheck" in runs else 0.0
    for name, group in runs.items():
        found = _mean(group, _unique)
        timed = _timed(group)
        _, unique, seconds = PAPER.get(subject, {}).get(name, (0, None, None))
        cells = [
            name,
            str(len(group)),
            _spread(group, lambda run: run["valid"]),
            _spread(group, _unique),
            f"{found / group[0]['inputs']:.4f}",
            _spread(timed, _seconds) if timed else "",
            _spread(timed, lambda run: run["unique_valid"] / _seconds(run)) if timed else "",
            f"{found / base:.2f}" if base else "",
            "" if unique is None else f"{unique / SUBJECTS[subject].inputs:.4f}",
            "" if unique is None or seconds is None else f"{unique / seconds:.3g}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def figures(subject: str, runs: Runs) -> list[str]:
    """What the study has to reach, and whether it did."""
    checks = []
    for base in ("RLCheck", "RLCheck, call tree"):
        learner = "DQN, bootstrapped" if subject == "maven" else "Recurrent"
        if base not in runs or learner not in runs:
            continue
        ratio = _mean(runs[learner], _unique) / max(1.0, _mean(runs[base], _unique))
        least = 1.2 if subject == "maven" else 1.0
        checks.append(
            (ratio >= least, f"{learner}: {ratio:.2f} times the unique valid inputs of {base}; {least}")
        )
        if subject == "maven":
            if not (_timed(runs[learner]) and _timed(runs[base])):
                continue
            times = _mean(_timed(runs[learner]), _seconds) / _mean(_timed(runs[base]), _seconds)
            checks.append((times <= 4, f"{learner}: {times:.1f} times the seconds of {base}; at most 4"))
    if subject == "javascript" and "Recurrent" in runs:
        shares = [run["valid"] / run["inputs"] for run in runs["Recurrent"]]
        good = sum(share >= 0.6 for share in shares)
        checks.append(
            (
                good == len(shares) >= 10,
                f"Recurrent: {good} of {len(shares)} seeds reach 60 % valid; 10 of 10",
            )
        )
    return [f"{'PASS' if met else 'MISS'}: {text}." for met, text in checks]


def stability(group: list[dict[str, Any]]) -> list[str]:
    """The paper's Table 3: every run of the recurrent learner."""
    lines = [
        "### Stability: the paper's Table 3",
        "",
        "The paper's six runs, of 358 to 14,706 inputs, were 4 to 84 % valid and 3 to 12 % unique.",
        "",
        "| seed | valid | unique valid | inputs | valid / inputs | unique / inputs | choices per input |",
        "|---:|" + "---:|" * 6,
    ]
    for run in sorted(group, key=lambda run: run["seed"]):
        inputs, valid, unique = run["inputs"], run["valid"], run["unique_valid"]
        lines.append(
            f"| {run['seed']} | {valid:,} | {unique:,} | {inputs:,} | {valid / inputs:.0%}"
            f" | {unique / inputs:.0%} | {run['choices'] / inputs:.1f} |"
        )
    return [*lines, ""]


def memory(rows: list[dict[str, Any]]) -> list[str]:
    """How memory grew."""
    lines = [
        "## Memory",
        "",
        "The process, without what glibc keeps for later, and the networks on the JavaScript study:"
        " `python -m benchmarks.deep.memory`. The process also holds the campaign: a digest of each unique"
        " input, and the states of the abstraction.",
        "",
        "| row | choices | process, MB | tensors, MB | rows of the table |",
        "|---|" + "---:|" * 4,
    ]
    for row in rows:
        shots = row["snapshots"]
        lines += [
            f"| {row['row']} | {shot['choices']:,} | {shot['resident'] / 1e6:.0f}"
            f" | {shot['tensors'] / 1e6:.1f} | {shot['rows']:,} |"
            for shot in (shots[0], shots[len(shots) // 2 - 1], shots[-1])
        ]
    return [*lines, "", *(f"- {_constant(row)}" for row in rows if row["snapshots"][0]["tensors"]), ""]


def _constant(row: dict[str, Any]) -> str:
    """Whether memory stays what it was when half of the choices were made."""
    half, last = row["snapshots"][len(row["snapshots"]) // 2 - 1], row["snapshots"][-1]
    tensors = last["tensors"] / half["tensors"] - 1
    process = last["resident"] / half["resident"] - 1
    met = tensors == 0 and process < 0.01
    return (
        f"{'PASS' if met else 'MISS'}: {row['row']}: from {half['choices']:,} choices to {last['choices']:,},"
        f" tensors grew by {tensors:.1%}; 0. The process grew by {process:.1%}; less than 1 %."
    )


def gpu(rows: list[dict[str, Any]]) -> list[str]:
    """Choices per second by device."""
    lines = [
        "## CPU and GPU",
        "",
        "The same network, answering and learning in lock-step: `python -m benchmarks.deep.gpu`. *Network*:"
        " choices by the seconds in the network; *all*: by all seconds, generators included.",
        "",
        "| core | device | width | layers | lanes | network, choices/s | all, choices/s |",
        "|---|---|" + "---:|" * 5,
    ]
    lines += [
        f"| {row['core']} | {row['device']}: {row['name']} | {row['width']} | {row['layers']}"
        f" | {row['lanes']:,} | {row['network']:,} | {row['all']:,} |"
        for row in rows
    ]
    checks = []
    for core in dict.fromkeys(row["core"] for row in rows):
        speed = {row["device"]: row for row in rows if row["core"] == core}
        if {"cpu", "cuda"} <= speed.keys():
            ratio = speed["cuda"]["network"] / speed["cpu"]["network"]
            whole = speed["cuda"]["all"] / speed["cpu"]["all"]
            checks.append(
                f"- {'PASS' if ratio >= 10 else 'MISS'}: {core}: {ratio:.1f} times the choices/s of the"
                f" network on the CPU; at least 10. In all, {whole:.1f} times."
            )
    return [*lines, "", *checks, ""]


def _environments(runs: Runs) -> list[str]:
    """What the runs were made with; where that differs, which rows: their seconds do not compare."""
    rows: dict[str, dict[str, None]] = {}
    for name, group in runs.items():
        for run in group:
            rows.setdefault(_environment(run), {})[name] = None
    if len(rows) == 1:
        return [f"{made}." for made in rows]
    return [f"- {made}: {'; '.join(names)}." for made, names in rows.items()]


def _environment(run: dict[str, Any]) -> str:
    return (
        f"rlcheck {run['rlcheck']} {'' if run['compiled'] else 'not '}compiled, torch {run['torch']},"
        f" Python {run['python']}, {run['machine']}, {run.get('cpu', 'a CPU that was not noted')}"
    )


def _grouped(rows: Iterable[dict[str, Any]]) -> Runs:
    runs: Runs = {}
    for row in sorted(rows, key=lambda row: (list(ROWS).index(row["row"]), row["seed"])):
        runs.setdefault(row["row"], []).append(row)
    return runs


def _unique(run: dict[str, Any]) -> float:
    return float(run["unique_valid"])


def _seconds(run: dict[str, Any]) -> float:
    return float(run["cpu_seconds"])


def _timed(group: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The runs whose seconds are known: the first ones were stored without."""
    return [run for run in group if "cpu_seconds" in run]


def _mean(group: list[dict[str, Any]], of: Callable[[dict[str, Any]], float]) -> float:
    return store.mean_and_error([of(run) for run in group])[0]


def _spread(group: list[dict[str, Any]], of: Callable[[dict[str, Any]], float]) -> str:
    mean, error = store.mean_and_error([of(run) for run in group])
    digits = 0 if mean >= 10 else 1
    return f"{mean:,.{digits}f} ± {error:,.{digits}f}"


if __name__ == "__main__":
    main()
