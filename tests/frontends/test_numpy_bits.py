"""NumPy's generators under a guide."""

import random

import pytest

import rlcheck
from rlcheck import Guide, Outcome
from rlcheck.errors import ReplayError

np = pytest.importorskip("numpy")
from rlcheck.frontends.random.numpy_bits import GuidedBits  # noqa: E402


def started(**options):
    guide = Guide("uniform", seed=0, **options)
    return np.random.Generator(GuidedBits(guide)), guide.start(), guide


def test_a_uniform_guide_has_the_statistics_of_the_plain_generator():
    rng, episode, _ = started(max_choices=100_000)
    assert abs(rng.random(4_000).mean() - 0.5) < 0.025
    assert abs(rng.normal(size=4_000).std() - 1.0) < 0.06
    assert set(rng.integers(0, 6, 200)) == set(range(6))
    assert sorted(rng.permutation(5)) == list(range(5))
    assert len(episode.choices) > 8_000


def test_the_same_seed_draws_the_same():
    assert (started()[0].random(10) == started()[0].random(10)).all()


def test_an_overrun_is_kept_and_draws_go_on():
    rng, episode, guide = started(max_choices=5)
    assert len(rng.integers(0, 10, 100)) == 100
    assert episode.overrun
    guide.finish(Outcome.INVALID)


def test_the_default_generators_are_guided_inside_the_block_only():
    before = np.random.get_state()
    plain = np.random.default_rng

    def draw():
        with rlcheck.guided_random(seed=2, numpy=True):
            return [
                np.random.rand(),
                np.random.default_rng(9).random(),
                random.random(),
                np.random.randint(9),
            ]

    assert draw() == draw()
    after = np.random.get_state()
    assert all((left == right).all() for left, right in zip(before[1:2], after[1:2], strict=True))
    assert np.random.default_rng is plain
    assert np.random.default_rng(1).random() == np.random.default_rng(1).random()


def test_a_recording_holds_the_draws_of_both(tmp_path):
    path = tmp_path / "actions.jsonl"

    def draw(**options):
        with rlcheck.guided_random(numpy=True, **options):
            return [np.random.default_rng().integers(0, 100), random.randint(0, 99), np.random.rand()]

    made = draw(seed=1, record=path)
    assert draw(replay=path) == made


def test_what_a_replay_raises_in_numpy_is_raised_after_the_block(tmp_path):
    path = tmp_path / "actions.jsonl"
    with rlcheck.guided_random(seed=1, record=path):
        random.random()
    with (
        pytest.raises(ReplayError, match="ends after 1 draws"),
        rlcheck.guided_random(replay=path, numpy=True),
    ):
        np.random.rand(2)
