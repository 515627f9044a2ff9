"""Ready-made generators, and replaying what they made."""

import pytest

import rlcheck
from rlcheck import Campaign, Guide, Outcome
from rlcheck.errors import ChoiceError, ConfigurationError, ReplayError


def sample(generator, episodes=300):
    values = []
    Campaign(
        generator, learner="uniform", seed=0, observers=[lambda episode: values.append(episode.value)]
    ).run(episodes=episodes)
    return values


def test_integers_include_both_ends():
    assert set(sample(rlcheck.integers(-2, 3))) == set(range(-2, 4))


def test_booleans_and_sampled_from():
    assert set(sample(rlcheck.booleans())) == {False, True}
    assert set(sample(rlcheck.sampled_from(["x", "y"]))) == {"x", "y"}


def test_lists_compose_and_keep_their_sizes():
    pairs = rlcheck.lists(rlcheck.lists(rlcheck.integers(0, 1), max_size=2), min_size=1, max_size=3)
    values = sample(pairs, 2000)
    assert {len(value) for value in values} == {1, 2, 3}
    assert {len(inner) for value in values for inner in value} == {0, 1, 2}


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: rlcheck.integers(3, 2), ConfigurationError, "lo=3 is above hi=2"),
        (lambda: rlcheck.integers(0.0, 2), ConfigurationError, "must be integers"),
        (lambda: rlcheck.sampled_from([]), ChoiceError, "is empty"),
        (lambda: rlcheck.sampled_from({1}), ChoiceError, "ordered collection"),
        (lambda: rlcheck.lists(3), ConfigurationError, "element=3 must be a generator"),
        (lambda: rlcheck.lists(rlcheck.booleans(), 4, 2), ConfigurationError, "min_size=4 and max_size=2"),
        (lambda: rlcheck.lists(rlcheck.booleans(), -1), ConfigurationError, "min_size=-1"),
    ],
)
def test_bad_arguments(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_a_generator_is_a_choice_point_of_its_own_and_belongs_to_its_caller():
    seen = []

    class Spy:
        def select(self, point, state, n):
            seen.append((point, state))
            return 1

        def reward(self, value): ...

        def update(self, outcome): ...

    first, second = rlcheck.integers(0, 5), rlcheck.integers(0, 5)

    def generator(choose):
        return first(choose), second(choose), first(choose)

    guide = Guide(Spy())
    for _ in range(2):
        guide.start()
        generator(guide.choose)
        guide.finish(Outcome.VALID)
    (one, start), (two, after), (again, later) = seen[:3]
    assert one is again
    assert one is not two
    assert len(start.parts[-1]) == 0
    assert len(after.parts[-1]) == 1, "the first choice is part of the caller's frame"
    assert len(later.parts[-1]) == 2
    assert seen[3:] == seen[:3]


def numbers(choose):
    return [choose(range(5)) for _ in range(choose(range(4)))]


def test_a_recorded_sequence_replays_exactly():
    for learner in ("uniform", "monte-carlo"):
        episodes = []
        Campaign(numbers, learner=learner, seed=1, observers=[episodes.append]).run(episodes=100)
        for episode in episodes:
            assert rlcheck.replay(numbers, episode.choices) == episode.value


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([2, 1], "ends after 2 choices, but the generator asks for another one"),
        ([1, 1, 1], "has 3 choices, but the generator made only 2"),
        ([9], r"choices\[0\]=9 must be an index below 4"),
        ([-1], r"choices\[0\]=-1 must be an index"),
        (["1"], r"choices\[0\]='1' must be an index"),
        ([True, 1], r"choices\[0\]=True must be an index"),
    ],
)
def test_a_sequence_that_does_not_fit_is_an_error(choices, message):
    with pytest.raises(ReplayError, match=message):
        rlcheck.replay(numbers, choices)


def test_replaying_a_rejected_input_is_an_error():
    def generator(choose):
        rlcheck.assume(choose([False, True]))

    with pytest.raises(ReplayError, match="rejects"):
        rlcheck.replay(generator, [0])


def test_replaying_no_options_is_the_same_error_as_choosing_from_them():
    with pytest.raises(ChoiceError, match="is empty"):
        rlcheck.replay(lambda choose: choose([]), [0])
