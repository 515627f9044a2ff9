"""A campaign that looks at the branches of its subject."""

import rlcheck


def formula(choose):
    """Any text of up to eight characters; nothing here knows how formulas are written."""
    return "".join(choose("12+*()") for _ in range(choose(range(9))))


def parse(text):
    """The subject: the value of a formula. It raises ValueError when there is no formula."""
    value, rest = total(text)
    if rest:
        raise ValueError(f"{rest} is left")
    return value


def total(text):
    """A sum of products, and what follows it."""
    value, rest = product(text)
    while rest.startswith("+"):
        more, rest = product(rest[1:])
        value += more
    return value, rest


def product(text):
    """A product of numbers and formulas in brackets, and what follows it."""
    value, rest = atom(text)
    while rest.startswith("*"):
        more, rest = atom(rest[1:])
        value *= more
    return value, rest


def atom(text):
    """A number or a formula in brackets, and what follows it."""
    if text.startswith("("):
        value, rest = total(text[1:])
        if not rest.startswith(")"):
            raise ValueError("a bracket is open")
        return value, rest[1:]
    if text[:1].isdigit():
        return int(text[0]), text[1:]
    raise ValueError(f"{text} is no formula")


def is_formula(text):
    """The precondition: it parses."""
    try:
        parse(text)
    except ValueError:
        return False
    return True


for characteristic in ("identity", "trace", "branches", "path"):
    campaign = rlcheck.Campaign(formula, valid=is_formula, characteristic=characteristic, seed=0)
    summary = campaign.run(episodes=5_000)
    print(f"{characteristic}: {summary.unique_valid:,} different valid inputs")

campaign = rlcheck.Campaign(formula, valid=is_formula, coverage=[__name__], seed=0)
coverage = campaign.run(episodes=5_000).coverage
print(coverage)
for branch in sorted(coverage.covered - coverage.covered_valid):
    print(f"never taken by a valid input: {coverage.where(branch)}")

campaign = rlcheck.Campaign(
    formula, valid=is_formula, learner="monte-carlo", reward="coverage", characteristic="trace", seed=0
)
print(f"grey-box RLCheck: {campaign.run(episodes=5_000).unique_valid:,} different traces")


def opens(keys):
    """A precondition that one input in 262,144 meets."""
    if keys[0] != 7:
        return False
    if keys[1] != 13:
        return False
    return keys[2] == 11


campaign = rlcheck.Campaign(
    lambda choose: [choose(range(64)) for _ in range(3)], valid=opens, learner="monte-carlo", seed=0
)
summary = campaign.run(episodes=3_000)
print(f"{summary.valid} inputs were valid: {summary.note}")


def operations(choose):
    """A generator that runs the subject while it chooses."""
    text = ""
    for _ in range(8):
        text += choose("12+*()")
        is_formula(text)
    return text


campaign = rlcheck.Campaign(
    operations, reward="new-branches", coverage=[__name__], learner="monte-carlo", seed=0
)
print(f"step by step: {campaign.run(episodes=100).coverage}")
