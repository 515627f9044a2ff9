"""Figures in sentences are those of the stored results."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def rows(name):
    return [json.loads(line) for line in (RESULTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def sentences(page):
    return " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").split())


def test_what_the_flag_does_to_the_tests_of_projects():
    both = {"default": [], "rlcheck": []}
    for row in rows("projects/suites"):
        both[row["method"]].append(row)
    seconds = [sum(test["seconds"] for row in of for test in row["tests"].values()) for of in both.values()]
    tests = sum(len(row["tests"]) for row in both["default"] if row["seed"] == 0)
    text = sentences("how-to/use-with-hypothesis.md")
    assert f"the Hypothesis tests of {len({row['project'] for row in both['default']})} projects" in text
    assert f"{tests} tests. No test has another outcome" in text
    assert "There is none." in (RESULTS / "projects" / "README.md").read_text(encoding="utf-8")
    assert f"they take {seconds[1] / seconds[0]:.2f} times the processor time" in text


def test_what_a_portfolio_costs():
    worst = max(row["quartiles"][1] for row in rows("portfolio/cost"))
    assert f"takes at most {100 * (worst - 1):.1f} % more time" in sentences("learners/portfolio.md")


def test_on_how_many_programs_rarity_covers_more():
    page = (RESULTS / "rng" / "README.md").read_text(encoding="utf-8")
    above, below, programs = re.search(
        r"- CS, after .*: above random on (.*), below on (none), of (\d+): PASS", page
    ).groups()
    count = {2: "two", 3: "three", 4: "four"}[len(above.split(", "))]
    text = sentences("learners/rarity.md")
    assert f"Of {programs} programs that others wrote, it covers more" in text
    assert f"than plain random numbers on {count}," in text
    assert f"and fewer on {below}" in text
