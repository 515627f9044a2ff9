"""From nothing valid to a first valid input, and on. Fixed seeds; margins measured over ten or more."""

import types

import rlcheck
from rlcheck import Campaign, Outcome


def word(choose):
    return "".join(choose("abcdefgh") for _ in range(6))


def test_partial_validity_leads_to_inputs_that_are_never_met_by_chance():
    """The target is one of 8 ** 6 words, and each right letter is a step towards it."""

    def valid(text):
        right = sum(a == b for a, b in zip(text, "hgfedc", strict=True))
        return right >= 5 or right / 6

    def strictly(text):
        return valid(text) is True

    # Over twenty seeds: all 43 such words with steps; without, none in nineteen seeds, 24 in one.
    assert Campaign(word, valid=valid, seed=0).run(episodes=5000).unique_valid > 35
    assert Campaign(word, valid=strictly, seed=1, coverage=()).run(episodes=1000).unique_valid == 0


def test_a_target_leads_as_partial_validity_does():
    def valid(text):
        right = sum(a == b for a, b in zip(text, "hgfedc", strict=True))
        rlcheck.target(right, label="letters")
        return right >= 5

    # Over twenty seeds: all 43 words in 5,000 inputs.
    assert Campaign(word, valid=valid, seed=0).run(episodes=5000).unique_valid > 35


def test_an_assume_that_gets_further_is_progress():
    def test(text):
        for made, wanted in zip(text, "hgfed", strict=False):
            rlcheck.assume(made == wanted)

    # Over twenty seeds: all 8 words in 5,000 inputs; at random, 0.15 are expected.
    assert Campaign(word, test=test, seed=0).run(episodes=5000).unique_valid > 6


def first_valid(generator, valid, seed=0, most=3_000, **arguments):
    """How many inputs it takes until one is valid; None if there is none."""
    campaign = Campaign(
        generator,
        valid=valid,
        seed=seed,
        observers=[lambda episode: episode.outcome is Outcome.INVALID or campaign.stop()],
        **arguments,
    )
    summary = campaign.run(episodes=most)
    return summary.episodes if summary.valid else None


WORDS = [f"word{number}" for number in range(60)]


def sentence(choose):
    return [choose(WORDS) for _ in range(4)]


def test_what_a_precondition_compares_is_tried():
    def valid(words):
        return words[0] == "word7" and words[1] == "word31" and words[2] in {"word3"} and words[3] == words[0]

    # One input in 60 ** 3 is valid. Over ten seeds, it took 116 to 127 inputs.
    assert first_valid(sentence, valid) < 300
    assert first_valid(sentence, valid, coverage=()) is None


def test_reasons_are_a_ladder_where_nothing_can_be_watched():
    def check(words):
        for place, (word, wanted) in enumerate(zip(words, ["word7", "word31", "word3"], strict=False)):
            if word != wanted:
                return f"{word!r} at {'abc'[place]}"
        return True

    valid = eval("lambda words: check(words)", {"check": check})  # Its module is not known.
    # One input in 60 ** 3 is valid. Over ten seeds, it took 411 to 3,100 inputs.
    assert first_valid(sentence, valid, most=6_000) is not None


def test_exceptions_that_a_precondition_catches_are_reasons():
    package = types.ModuleType("compiled_package")
    exec(
        "def parse(words):\n"
        "    for word, wanted, name in zip(words, ('word7', 'word31'), 'ab'):\n"
        "        if word != wanted:\n"
        "            raise ValueError(f'{word!r} is wrong at {name}')\n",
        vars(package),
    )

    def valid(words):
        try:
            package.parse(words)
        except ValueError:
            return False
        return True

    assert first_valid(sentence, valid) is not None


def test_distances_lead_on():
    def numbers(choose):
        return [choose(range(100)) for _ in range(12)]

    # One input in 10 ** 13 is valid. Over ten seeds, it took 854 to 2,437 inputs.
    assert first_valid(numbers, lambda made: sum(made) < 40, most=5_000) is not None
