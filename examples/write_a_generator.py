"""Generators: functions of `choose`."""

import enum

import rlcheck


class Op(enum.Enum):
    """What a calculator can do."""

    ADD = "+"
    SUB = "-"
    MUL = "*"


def expression(choose, depth=0):
    """An arithmetic expression, as text."""
    if depth == 3 or choose(["number", "operation"]) == "number":
        return str(choose(range(10)))
    left = expression(choose, depth + 1)
    op = choose(Op)
    right = expression(choose, depth + 1)
    return f"({left} {op.value} {right})"


def date(choose):
    """A date: how many options the day has depends on the month."""
    month = choose(range(1, 13), at="month")
    days = 28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    day = choose(range(1, days + 1), at="day", state=month)
    return month, day


# Small generators are values: construct them once and call them with `choose`.
name = rlcheck.lists(rlcheck.sampled_from("abc"), min_size=1, max_size=3)
age = rlcheck.integers(0, 2**64)
member = rlcheck.booleans()


def person(choose):
    """Generators compose by being called."""
    return {"name": "".join(name(choose)), "age": age(choose), "member": member(choose)}


for generator in (expression, date, person):
    campaign = rlcheck.Campaign(generator, seed=10)
    print(campaign.episode().value)
