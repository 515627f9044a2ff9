"""A precondition that says what is wrong with an input."""

import rlcheck

WORDS = ["select", "a", "b", "c", "from", "t", "u", "where", "order", "by", "1", "="]
WANTED = ["select", "a", "from", "t", "where", "a", "=", "1"]


def statement(choose):
    """Eight words."""
    return [choose(WORDS) for _ in WANTED]


def errors_in(words):
    """What is wrong with a statement: a list of messages."""
    pairs = enumerate(zip(words, WANTED, strict=True))
    return [
        f"{word!r} instead of {wanted} at word {place}" for place, (word, wanted) in pairs if word != wanted
    ]


def valid(words):
    """Whether there is no error; if there are some, these."""
    return errors_in(words) or True


campaign = rlcheck.Campaign(statement, valid=valid, seed=0, coverage=())
summary = campaign.run(episodes=5_000)
print(f"{summary.valid} of {summary.episodes} inputs are valid")
for reason, count, _ in summary.reasons.most_common(3):
    print(f"{count} x {reason}")
