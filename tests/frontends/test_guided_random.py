"""Guided random numbers: what programs that take a random.Random, or use the module, draw from a guide."""

import math
import random
import statistics
import sys
from fractions import Fraction

import pytest

import rlcheck
from rlcheck import Campaign, Guide, Outcome, assume
from rlcheck.errors import ChoiceError, ConfigurationError, GuideError, ReplayError


class Scripted:
    """Takes the options it is told, the last one when nothing is left, and keeps what it was shown."""

    def __init__(self, script=()):
        self.script = list(script)
        self.seen = []
        self.outcomes = []

    def select(self, point, state, n):
        self.seen.append((point.name, state, n))
        return min(self.script.pop(0), n - 1) if self.script else n - 1

    def reward(self, value): ...

    def update(self, episode):
        self.outcomes.append(episode.outcome)


def started(learner="uniform", **options):
    guide = Guide(learner, seed=0, max_choices=10**7, **options)
    guide.start()
    return rlcheck.GuidedRandom(guide), guide


METHODS = {
    "random": lambda rng: rng.random(),
    "randrange": lambda rng: rng.randrange(3, 100, 4),
    "randint": lambda rng: rng.randint(-5, 5),
    "choice": lambda rng: rng.choice((1, 5, 9)),
    "choices": lambda rng: sum(rng.choices((0, 1, 2), k=3)),
    "weighted choices": lambda rng: sum(rng.choices((0, 1, 2), weights=(5, 0, Fraction(1, 2)), k=3)),
    "cumulative choices": lambda rng: rng.choices((0, 1, 2), cum_weights=(1, 3, 4))[0],
    "shuffle": lambda rng: (lambda xs: (rng.shuffle(xs), xs[0] * 3 + xs[2])[1])([0, 1, 2, 3]),
    "sample": lambda rng: rng.sample(range(50), 3)[1],
    "uniform": lambda rng: rng.uniform(2.0, 7.0),
    "triangular": lambda rng: rng.triangular(0.0, 3.0, 1.0),
    "betavariate": lambda rng: rng.betavariate(2.0, 3.0),
    "expovariate": lambda rng: rng.expovariate(1.5),
    "gammavariate": lambda rng: rng.gammavariate(2.0, 1.0),
    "gauss": lambda rng: rng.gauss(1.0, 2.0),
    "lognormvariate": lambda rng: math.log(rng.lognormvariate(0.0, 1.0)),
    "normalvariate": lambda rng: rng.normalvariate(1.0, 2.0),
    "vonmisesvariate": lambda rng: rng.vonmisesvariate(1.0, 4.0),
    "paretovariate": lambda rng: math.log(rng.paretovariate(3.0)),
    "weibullvariate": lambda rng: rng.weibullvariate(1.0, 1.5),
    "getrandbits": lambda rng: rng.getrandbits(40) / 2**40,
    "many bits": lambda rng: rng.getrandbits(100) / 2**100,
    "randbytes": lambda rng: sum(rng.randbytes(3)) / 255,
}


def distance(ours, plain):
    """The largest difference of two distributions (Kolmogorov and Smirnov)."""
    values = sorted({*ours, *plain})
    ours, plain = sorted(ours), sorted(plain)
    most, i, j = 0.0, 0, 0
    for value in values:
        while i < len(ours) and ours[i] <= value:
            i += 1
        while j < len(plain) and plain[j] <= value:
            j += 1
        most = max(most, abs(i / len(ours) - j / len(plain)))
    return most


@pytest.mark.parametrize("method", METHODS)
def test_a_uniform_guide_has_the_statistics_of_the_plain_generator(method):
    rng, guide = started()
    plain = random.Random(1)
    draw = METHODS[method]
    number = 2_000
    ours = [draw(rng) for _ in range(number)]
    theirs = [draw(plain) for _ in range(number)]
    # Beyond this, the same distribution is found once in 100,000 times.
    assert distance(ours, theirs) < math.sqrt(-math.log(0.5e-5) / number)
    assert len(guide.finish(Outcome.VALID).choices) >= number


def test_fractions_as_weights_go_the_plain_way():
    rng, _ = started(Scripted())
    assert rng.choices("ab", weights=[Fraction(1), Fraction(0)]) == ["a"]


def test_weights_are_those_of_the_guide():
    rng, _ = started()
    drawn = rng.choices("abc", weights=[6, 0, 2], k=4_000)
    assert "b" not in drawn
    assert 0.71 < drawn.count("a") / 4_000 < 0.79


@pytest.mark.parametrize("weights", [[1], [0, 0]])
def test_wrong_weights_raise_what_the_plain_generator_raises(weights):
    rng, _ = started()
    with pytest.raises(ValueError, match="weights"):
        rng.choices("ab", weights=weights)


def test_an_empty_choice_and_negative_bits_raise_what_the_plain_generator_raises():
    rng, _ = started()
    with pytest.raises(IndexError, match="empty sequence"):
        rng.choice([])
    with pytest.raises(ValueError, match="non-negative"):
        rng.getrandbits(-1)
    assert rng.getrandbits(0) == 0
    assert rng.randbytes(0) == b""


def test_a_draw_is_one_choice_and_the_guide_decides_it():
    rng, guide = started(Scripted([2, 0, 3]))
    assert (rng.randint(1, 6), rng.choice("abc"), rng.randrange(10)) == (3, "a", 3)
    assert rng.random() == 1.0 - 2.0**-53
    assert guide.finish(Outcome.VALID).choices == [2, 0, 3, 2**53 - 1]


def test_levels_are_evenly_spaced_values():
    guide = Guide(Scripted([128, 64, 255, 5]), seed=0)
    guide.start()
    rng = rlcheck.GuidedRandom(guide, levels=256)
    assert rng.random() == 0.5
    assert rng.randrange(1000) == 250
    assert rng.randrange(10**6) == 10**6 * 255 // 256
    assert rng.randrange(6) == 5, "a small draw is exact"


@pytest.mark.parametrize("levels", [0, 1, True, 2.5])
def test_wrong_levels_are_refused(levels):
    with pytest.raises(ConfigurationError, match="levels="):
        rlcheck.GuidedRandom(Guide(), levels=levels)


def test_a_guide_is_needed():
    with pytest.raises(ConfigurationError, match="guide=3 must be an rlcheck"):
        rlcheck.GuidedRandom(3)
    with pytest.raises(GuideError, match="outside an episode"):
        rlcheck.GuidedRandom(Guide()).random()


def test_a_seed_has_no_effect():
    rng, _ = started(Scripted([1, 1]))
    rng.seed(42)
    first = rng.randrange(5)
    rng.seed(42)
    assert (first, rng.randrange(5)) == (1, 1)


def test_gauss_keeps_nothing_for_the_next_episode():
    rng, guide = started(Scripted([2**52, 2**51] * 2))
    assert rng.gauss(0.0, 1.0) == rng.gauss(0.0, 1.0)
    assert len(guide.finish(Outcome.VALID).choices) == 4


def test_the_point_of_a_draw_is_the_line_of_the_program():
    learner = Scripted()
    rng, _ = started(learner)

    def dice():
        return rng.randint(1, 6) + rng.choice([1, 2])

    dice()
    rng.shuffle([1, 2, 3])
    names = [name for name, _, _ in learner.seen]
    assert [".dice:" in name for name in names] == [True, True, False, False]
    assert names[0] != names[1]
    assert names[2] == names[3]
    assert all(name.startswith(__name__) for name in names)


def test_a_generator_may_take_one_of_its_choose():
    def pair(choose):
        rng = rlcheck.GuidedRandom(choose)
        return rng.randint(0, 9), rng.random() < 0.5

    campaign = Campaign(pair, valid=lambda made: made[0] == 7, seed=0)
    summary = campaign.run(episodes=300)
    assert summary.valid > 100  # At random, 30.
    choices = campaign.episode().choices
    assert rlcheck.replay(pair, choices) == rlcheck.replay(pair, choices)


def test_large_draws_are_split_where_a_value_matters():
    def number(choose):
        return rlcheck.GuidedRandom(choose).random()

    def near(x):
        return 0.123 < x < 0.124

    found = {
        learner: Campaign(number, valid=near, learner=learner, seed=1).run(episodes=5_000).unique_valid
        for learner in ("uniform", "diverse")
    }
    assert found["diverse"] > 20 * found["uniform"]


def test_the_module_is_guided_inside_the_block_only():
    from random import randint

    random.seed(5)
    expected = random.random()
    random.seed(5)
    functions = {
        name: getattr(random, name) for name in ("random", "randint", "choice", "gauss", "getrandbits")
    }
    learner = Scripted([0, 1, 2])
    with rlcheck.guided_random(Guide(learner)) as rng:
        assert isinstance(rng, rlcheck.GuidedRandom)
        assert random.randint(1, 6) == 1
        assert randint(1, 6) == 2, "a function that was imported by name is guided too"
        assert random._inst.randint(1, 6) == 3
        random.seed(7)
        assert random.random() == 1.0 - 2.0**-53
    assert {name: getattr(random, name) for name in functions} == functions
    assert type(random._inst) is random.Random
    assert random.random() == expected
    assert learner.outcomes == [Outcome.VALID]


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ZeroDivisionError, Outcome.FAILED),
        (AssertionError, Outcome.FAILED),
        (KeyboardInterrupt, Outcome.INVALID),
    ],
)
def test_the_module_is_restored_whatever_is_raised(error, outcome):
    learner = Scripted()
    plain = random.random

    def block():
        with rlcheck.guided_random(Guide(learner)):
            random.random()
            raise error

    with pytest.raises(error):
        block()
    assert random.random == plain
    assert type(random._inst) is random.Random
    assert learner.outcomes == [outcome]


def test_an_assumption_that_does_not_hold_ends_the_block_as_invalid():
    learner = Scripted()
    with rlcheck.guided_random(Guide(learner)):
        assume(random.random() < 0.5)
        raise AssertionError("not reached")
    assert learner.outcomes == [Outcome.INVALID]


def test_blocks_do_not_nest():
    with rlcheck.guided_random(seed=0), pytest.raises(ConfigurationError, match="already guided"):
        rlcheck.guided_random(seed=0).__enter__()
    assert type(random._inst) is random.Random


def test_a_block_in_a_generator_is_part_of_its_episode():
    def program(choose):
        with rlcheck.guided_random(choose):
            return random.randint(0, 3), random.randint(0, 3)

    summary = Campaign(program, seed=0).run(episodes=100)
    assert summary.stopped == "exhausted"
    assert summary.unique_valid == 16


def test_a_block_that_draws_too_much_is_cut_off():
    guide = Guide("uniform", seed=0, max_choices=5)
    ended = []
    guide.observers.append(ended.append)
    with rlcheck.guided_random(guide):
        while True:
            random.random()
    assert ended[0].overrun
    assert type(random._inst) is random.Random


def test_the_same_seed_draws_the_same():
    def draw():
        with rlcheck.guided_random(seed=3):
            return [random.randint(0, 99) for _ in range(20)]

    assert draw() == draw()


def test_off_it_costs_nothing():
    with rlcheck.guided_random(seed=0):
        pass
    assert random.random == random._inst.random
    assert type(random.random).__name__ == "builtin_function_or_method"
    assert not {"_ask", "_levels"} & set(vars(random._inst))


def test_a_recording_replays_without_a_learner(tmp_path):
    path = tmp_path / "deep" / "actions.jsonl"
    with rlcheck.guided_random(seed=1, record=path):
        made = [random.random(), random.choice("abc"), random.gauss(0, 1)]
    with rlcheck.guided_random(replay=path):
        assert [random.random(), random.choice("abc"), random.gauss(0, 1)] == made
    assert path.read_text().startswith('{"rlcheck": "actions", "version": 1')


def test_a_recording_is_checked(tmp_path):
    path = tmp_path / "actions.jsonl"
    with rlcheck.guided_random(seed=1, record=path):
        random.randint(1, 6)
        random.randint(1, 6)
    with (
        pytest.raises(ReplayError, match="was recorded as one of 6 options"),
        rlcheck.guided_random(replay=path),
    ):
        random.randint(1, 7)
    with pytest.raises(ReplayError, match="ends after 2 draws"), rlcheck.guided_random(replay=path):
        random.choices(range(6), k=3)
    with pytest.raises(ReplayError, match="made only 1"), rlcheck.guided_random(replay=path):
        random.randint(1, 6)


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", '{"rlcheck": "run"}', '{"rlcheck": "actions", "version": 2}']
    + [
        '{"rlcheck": "actions", "version": 1}\n' + draw
        for draw in ('{"n": 6}', '{"n": 6, "action": 6}', "[1]", "3")
    ]
    + ['{"rlcheck": "actions", "version": 1}\n{"n": true, "action": 0}', "[" * 100_000],
)
def test_what_is_no_recording_is_refused(text, tmp_path):
    path = tmp_path / "actions.jsonl"
    path.write_text(text)
    with pytest.raises(ReplayError, match=r"is not a recording of actions|must be an index below"):
        rlcheck.guided_random(replay=path)


def test_a_guide_and_its_parts_do_not_go_together():
    with pytest.raises(ConfigurationError, match="a guide was given"):
        rlcheck.guided_random(Guide(), seed=3)


def test_learning_steers_a_program_that_takes_no_generator():
    """A program that fails only for a rare combination is driven there by rewards in the block."""
    guide = Guide("monte-carlo", "call-stack", 0, reward="validity")
    means = []
    for _ in range(1_500):
        with rlcheck.guided_random(guide):
            first, second = random.randint(0, 9), random.randint(0, 9)
            means.append(first == 3 and second == 8)
            assume(means[-1])
    assert statistics.fmean(means[-300:]) > 0.4


def test_choose_refuses_what_the_guide_refuses():
    _, guide = started()
    with pytest.raises(ChoiceError, match="weights="):
        guide.draw(2, sys._getframe(), [1.0])
