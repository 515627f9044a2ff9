"""Examples, partial validity, and policies on disk."""

import json
import warnings

import pytest

import rlcheck
from rlcheck import Campaign
from rlcheck.errors import ConfigurationError
from rlcheck.policy import PolicyWarning


def word(choose):
    return "".join(choose("abcdefgh") for _ in range(6))


def never(text):
    return text[:4] == "hgfe"


EXAMPLE = [7, 6, 5, 4, 0, 0]


@pytest.mark.parametrize("learner", ["diverse", "monte-carlo"])
def test_examples_are_made_first_and_learned_from(learner):
    made = []
    campaign = Campaign(
        word, valid=never, examples=[EXAMPLE, [7, 7]], learner=learner, seed=1,
        observers=[lambda episode: made.append(episode)],
    )  # fmt: skip
    summary = campaign.run(episodes=300)
    assert made[0].choices == EXAMPLE
    assert made[1].choices[:2] == [7, 7]
    # Over twenty seeds: 64 with diverse and 18 to 29 with monte-carlo; without examples, 0 in most.
    cold = Campaign(word, valid=never, learner=learner, seed=1).run(episodes=300)
    assert summary.unique_valid > 5 * (1 + cold.unique_valid)


def test_examples_that_do_not_fit_are_followed_as_far_as_they_do():
    made = []
    Campaign(
        word,
        examples=[[3, 99, 1], [1] * 50, []],
        seed=0,
        observers=[lambda episode: made.append(episode.choices)],
    ).run(episodes=3)
    assert made[0][0] == 3
    assert made[1] == [1] * 6
    assert all(len(choices) == 6 for choices in made)


@pytest.mark.parametrize("example", [3, "abc", [1.5], [True], [-1], [[1]]])
def test_examples_must_be_indices(example):
    with pytest.raises(ConfigurationError, match="must be a list of indices"):
        Campaign(word, examples=[example])


@pytest.mark.parametrize("value", ["3", None, float("nan"), True])
def test_a_target_must_be_a_number(value):
    with pytest.raises(ConfigurationError, match="must be a number"):
        Campaign(lambda choose: rlcheck.target(value) or choose([1, 2])).run(episodes=1)


def test_target_and_assume_may_be_replayed():
    def generator(choose):
        x = choose(range(9))
        rlcheck.target(x)
        rlcheck.assume(x > 3)
        return x

    assert rlcheck.replay(generator, [5]) == 5


def test_a_campaign_inside_a_campaign_keeps_its_progress_to_itself():
    def outer(choose):
        Campaign(word, seed=0).run(episodes=2)
        rlcheck.target(7.0)
        return choose(range(100))

    campaign = Campaign(outer, seed=0)
    campaign.run(episodes=10)
    assert campaign._execution.targets == {"": 7.0}


def test_partial_validity_is_not_validity():
    summary = Campaign(word, valid=lambda text: 0.999, seed=0).run(episodes=50)
    assert summary.valid == 0
    assert Campaign(word, valid=lambda text: -0.3, seed=0).run(episodes=50).valid == 0
    assert Campaign(word, valid=lambda text: float("nan"), seed=0).run(episodes=50).valid == 0
    assert Campaign(word, valid=lambda text: 1.0, seed=0).run(episodes=50).valid == 50


def test_the_archive_holds_the_nearest_inputs_only():
    def valid(text):
        return sum(a == b for a, b in zip(text, "hgfedc", strict=True)) / 7

    campaign = Campaign(word, valid=valid, seed=0)
    campaign.run(episodes=1000)
    learner = campaign.guide.learner
    kept = [entry.root for entry in learner._archive.fine.by_key.values()]
    while len(kept[0].items) == 1:
        kept = [root.items[0] for root in kept]
    near = {valid(rlcheck.replay(word, [leaf.index for leaf in span.items])) for span in kept}
    assert near == {learner._archive.best}
    assert learner._archive.best > 0.5


def test_a_saved_policy_is_a_warm_start(tmp_path):
    path = tmp_path / "policy.json"
    first = Campaign(word, valid=never, examples=[EXAMPLE], seed=0)
    first.run(episodes=2000)
    first.save(path)
    warm = Campaign(word, valid=never, policy=path, seed=1).run(episodes=100)
    cold = Campaign(word, valid=never, seed=1).run(episodes=100)
    assert warm.valid > 60
    assert cold.valid < 10


def test_saving_is_atomic_and_leaves_nothing_behind(tmp_path, monkeypatch):
    path = tmp_path / "policy.json"
    campaign = Campaign(word, seed=0)
    campaign.run(episodes=20)
    campaign.save(path)
    before = path.read_text()
    campaign.run(episodes=20)

    def full(self, target):
        raise OSError("no space left")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="no space left"):
        campaign.save(path)
    assert path.read_text() == before
    assert [file.name for file in tmp_path.iterdir()] == ["policy.json"]


def test_a_policy_holds_a_bounded_sample(tmp_path):
    campaign = Campaign(word, seed=0)
    campaign.run(episodes=3000)
    campaign.save(tmp_path / "p")
    examples = json.loads((tmp_path / "p").read_text())["examples"]
    assert len(examples) == 1000
    assert len({tuple(example) for example in examples}) == 1000


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"format": "other"}', b'{"format": "rlcheck policy"}',
        b'{"format": "rlcheck policy", "version": 2, "examples": []}',
        b'{"format": "rlcheck policy", "version": 1, "examples": 3}',
        b'{"format": "rlcheck policy", "version": 1, "examples": [["x"]]}',
        b'{"format": "rlcheck policy", "version": 1, "examples": [[1, 2',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_a_warning_and_a_cold_start(tmp_path, content):
    path = tmp_path / "policy.json"
    path.write_bytes(content)
    with pytest.warns(PolicyWarning, match="cannot be used.*starts cold"):
        campaign = Campaign(word, policy=path, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert campaign.run(episodes=10).episodes == 10


def test_a_missing_policy_is_a_cold_start_too(tmp_path):
    with pytest.warns(PolicyWarning, match="No such file"):
        Campaign(word, policy=tmp_path / "nothing")
