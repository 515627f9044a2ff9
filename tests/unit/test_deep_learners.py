"""The deep learners: what they learn, their parts, their files and their limits."""

import math
import subprocess
import sys
from array import array
from dataclasses import replace
from random import Random

import pytest
from tests.episodes import ended

from rlcheck import Campaign, Outcome
from rlcheck.choice import ChoicePoint
from rlcheck.errors import ConfigurationError
from rlcheck.learners.deep.codes import OTHER, Codes
from rlcheck.learners.deep.lanes import MOST_OPTIONS, any_in, output_of
from rlcheck.learners.deep.replay import Replay
from rlcheck.learners.deep.vtrace import vtrace

torch = pytest.importorskip("torch", reason="needs rlcheck[torch]")

from rlcheck.learners import Dqn, DqnConfig, Recurrent, RecurrentConfig  # noqa: E402
from rlcheck.learners.deep.curiosity import Curiosity  # noqa: E402
from rlcheck.learners.deep.networks import PointNetworks, Rows, sampled  # noqa: E402
from rlcheck.learners.deep.sequences import Lstm, Transformer  # noqa: E402

CPU = torch.device("cpu")


def pairs(choose):
    return [choose(range(8), at="first"), choose(range(8), at="second"), choose(range(8), at="third")]


def rising(xs):
    return xs[0] < xs[1] < xs[2]


def valid_inputs(learner, seed=0, episodes=600):
    summary = Campaign(pairs, valid=rising, learner=learner, reward="validity", seed=seed).run(
        episodes=episodes
    )
    return summary.valid


@pytest.mark.parametrize(
    "learner",
    [
        lambda: Dqn(DqnConfig(batch=64), lanes=16),
        lambda: Dqn(DqnConfig(batch=64, temperature=0.0, epsilon=0.25, discount=0.5), lanes=1),
        lambda: Dqn(DqnConfig(batch=64, curiosity=0.1), lanes=16),
        lambda: Dqn(DqnConfig(batch=64, bootstrap="monte-carlo", bootstrap_episodes=200), lanes=16),
        lambda: Recurrent(RecurrentConfig(batch=16, width=32, step_size=0.01), lanes=16),
        lambda: Recurrent(RecurrentConfig(batch=16, width=32, step_size=0.01, inputs="SAR"), lanes=16),
        lambda: Recurrent(RecurrentConfig(batch=16, width=32, core="transformer", layers=2), lanes=16),
        lambda: Recurrent(RecurrentConfig(batch=16, width=32, bootstrap="diverse", bootstrap_episodes=200)),
        lambda: Recurrent(RecurrentConfig(batch=16, width=32, step_size=0.01, curiosity=0.05), lanes=1),
    ],
)
def test_more_inputs_are_valid_than_by_chance(learner):
    by_chance = valid_inputs("uniform")
    assert 0.05 * 600 < by_chance < 0.2 * 600
    assert valid_inputs(learner()) > 2 * by_chance


def growing(choose):
    made = []
    for size in range(1, choose(range(2, 9)) + 1):
        made.append(choose(range(size), at="grows"))
        made.append(choose("ab", at=f"late {size}"))
    made.append(choose(range(10**30), at="huge"))
    return made


@pytest.mark.parametrize(
    "make", [lambda: Dqn(DqnConfig(batch=32)), lambda: Recurrent(RecurrentConfig(width=16))]
)
def test_options_grow_points_come_late_and_there_may_be_very_many(make):
    campaign = Campaign(growing, valid=lambda made: made[-1] % 2, learner=make(), seed=0)
    assert campaign.run(episodes=200).valid > 20


def test_a_bucket_holds_the_options_that_it_stands_for():
    rng = Random(0)
    for n in (MOST_OPTIONS + 1, 1000, 2**70):
        for index in (0, 1, n // 3, n - 1):
            assert any(
                output_of(any_in(rng, output_of(index, n), n), n) == output_of(index, n) for _ in range(5)
            )
    assert {any_in(rng, output_of(index, 300), 300) for index in range(300) for _ in range(20)} == set(
        range(300)
    )
    assert output_of(5, 10) == 5


def test_numbers_run_out_and_memory_does_not():
    codes = Codes(4, most_points=4, most_tokens=10, most_states=8)
    points = [codes.point(ChoicePoint(f"point {number}", number)) for number in range(50)]
    assert points == [1, 2, 3] + [OTHER] * 47
    features = [codes.features(("label", number)) for number in range(50)]
    tokens = [array("q", made).tolist() for made in features]
    assert max(map(max, tokens)) == 9
    assert tokens[-1][0] == OTHER
    assert len(codes.tokens) == 10
    assert len(codes._known) <= 8


def test_another_guide_does_not_mix_up_states():
    learner = Dqn(DqnConfig(batch=16), lanes=4)
    Campaign(pairs, valid=rising, learner=learner, seed=0).run(episodes=20)
    Campaign(lambda choose: [choose("xy", at="other"), choose("ab", at="first")], learner=learner).run(
        episodes=20
    )
    assert list(learner.codes.names) == ["", "first", "second", "third", "other"]
    assert (4, 1) in learner.codes.tokens


def test_rows_move_against_their_gradient_and_others_stay():
    rows = Rows(3, 1.0, 0.1, torch.Generator().manual_seed(0), CPU)
    rows.grow((0,), (5,))
    before = rows.weights.clone()
    for _ in range(100):
        rows.touch(torch.tensor([[1, 3], [3, 3]])).square().sum().backward()
        rows.step()
    assert rows.weights[[1, 3]].abs().max() < 0.1
    assert torch.equal(rows.weights[[0, 2, 4]], before[[0, 2, 4]])


def test_networks_keep_what_they_know_when_they_grow():
    networks = PointNetworks(3, 12, 0.01, torch.Generator().manual_seed(0), CPU)
    networks.grow(2, 4, 3)
    points, tokens = torch.tensor([0, 1]), torch.tensor([[1, 2, 0], [3, 1, 1]])
    before = networks.values(points, tokens)[:, :3]
    networks.grow(20, 50, 30)
    assert networks.room[2] >= 30
    assert torch.allclose(networks.values(points, tokens)[:, :3], before)


def test_a_sample_is_never_an_option_that_does_not_exist():
    chances = torch.softmax(torch.tensor([[0.0, 1.0, -torch.inf], [0.0, -torch.inf, -torch.inf]]), 1)
    for roll in (0.0, 0.2, 0.5, 0.9999999):
        taken = sampled(chances, torch.tensor([roll, roll]), torch.tensor([2, 1])).tolist()
        assert taken[0] == int(roll >= 1 / (1 + math.e))
        assert taken[1] == 0


def test_the_familiar_is_less_rewarded_than_the_new():
    curious = Curiosity(3, 10, torch.Generator().manual_seed(0), CPU)
    for _ in range(300):
        curious.rewards(torch.tensor([[1, 2, 3]] * 8))
    known, new = curious.rewards(torch.tensor([[1, 2, 3], [7, 8, 9]])).tolist()
    assert known < 0.1 < new


def test_replay_forgets_the_oldest():
    replay = Replay(3)
    assert replay.sample(Random(0), 2) == []
    replay.extend([(number, b"", 0, 0, b"", 1, 0.0) for number in range(5)])
    assert {point for point, *_ in replay.sample(Random(0), 50)} == {2, 3, 4}


def test_vtrace_on_its_own_policy_gives_the_return():
    rewards, values, scores = [0.0, 1.0, 2.0], [0.5, -1.0, 4.0], [-0.1, -2.0, -0.3]
    aims, advantages = vtrace(rewards, values, scores, scores, 0.9)
    assert aims == pytest.approx([0.9 * (1.0 + 0.9 * 2.0), 1.0 + 0.9 * 2.0, 2.0])
    assert advantages == pytest.approx([aim - value for aim, value in zip(aims, values, strict=True)])


def test_vtrace_trusts_a_choice_less_that_the_policy_would_not_make():
    aims, advantages = vtrace([1.0], [0.0], [math.log(0.1)], [math.log(0.5)], 1.0)
    assert (aims, advantages) == (pytest.approx([0.2]), pytest.approx([0.2]))
    aims, _ = vtrace([1.0], [0.0], [math.log(0.5)], [math.log(0.1)], 1.0)
    assert aims == pytest.approx([1.0])


@pytest.mark.parametrize("make", [lambda: Lstm(32, 2, 5), lambda: Transformer(32, 2, 5, 12)])
def test_choice_by_choice_is_the_same_as_all_at_once(make):
    torch.manual_seed(0)
    core = make()
    inputs = torch.randn(2, 10, 32)
    with torch.no_grad():
        whole = core(inputs)
        lanes = torch.tensor([3, 1])
        for _ in range(2):  # The second time, the memory holds what the first one left.
            steps = [core.step(inputs[:, time], lanes, torch.tensor([time, time])) for time in range(10)]
            assert torch.allclose(torch.stack(steps, 1), whole, atol=1e-5)


def test_lanes_at_different_times_do_not_disturb_each_other():
    torch.manual_seed(0)
    core = Transformer(32, 1, 2, 8)
    inputs = torch.randn(2, 8, 32)
    with torch.no_grad():
        whole = core(inputs)
        for time in range(3):
            core.step(inputs[:1, time], torch.tensor([0]), torch.tensor([time]))
        both = core.step(
            torch.stack((inputs[0, 3], inputs[1, 0])), torch.tensor([0, 1]), torch.tensor([3, 0])
        )
    assert torch.allclose(both, torch.stack((whole[0, 3], whole[1, 0])), atol=1e-5)


def test_one_choice_is_enough_to_learn_from():
    learner = Recurrent(RecurrentConfig(width=16, batch=1, replay=False), lanes=1)
    Campaign(lambda choose: choose(range(3)), valid=lambda x: x == 1, learner=learner, seed=0).run(
        episodes=60
    )
    assert all(weights.isfinite().all() for weights in learner._network().parameters())


@pytest.mark.parametrize("valid", [True, False])
def test_the_length_of_valid_inputs_alone_counts(valid):
    def word(choose):
        return [0 for _ in iter(lambda: choose(range(4), at="more"), 0)]

    def made(penalty):
        lengths = []
        config = RecurrentConfig(width=16, step_size=0.01, length_penalty=penalty)
        Campaign(
            word,
            valid=lambda _: valid,
            learner=Recurrent(config),
            reward="validity",
            observers=[lambda episode: lengths.append(len(episode.choices))],
            seed=0,
        ).run(episodes=400)
        return sum(lengths[200:])

    if valid:
        assert made(0.5) < 0.7 * made(0.0)
    else:
        assert made(0.5) == made(0.0)


def test_a_history_longer_than_the_context_begins_anew():
    def long(choose):
        return [choose(range(3)) for _ in range(choose(range(30)))]

    config = RecurrentConfig(width=16, context=8, batch=8)
    assert Campaign(long, learner=Recurrent(config, lanes=8), seed=0).run(episodes=60).valid == 60


@pytest.mark.parametrize(
    "make",
    [
        lambda: Dqn(DqnConfig(batch=64), lanes=16),
        lambda: Recurrent(RecurrentConfig(batch=16, width=32, step_size=0.01), lanes=16),
        lambda: Recurrent(RecurrentConfig(batch=16, width=32, core="transformer"), lanes=16),
    ],
)
def test_a_checkpoint_goes_on_where_it_was_saved(make, tmp_path):
    learner = make()
    trained = valid_inputs(learner, episodes=800)
    learner.save(tmp_path / "checkpoint.pt")
    loaded = type(learner).load(tmp_path / "checkpoint.pt", lanes=16)
    assert loaded.config == learner.config
    assert list(tmp_path.iterdir()) == [tmp_path / "checkpoint.pt"]
    # From its first episodes on it is as good as one that has learned.
    assert valid_inputs(loaded, seed=1, episodes=100) > max(
        trained / 16, 2 * valid_inputs("uniform", seed=1, episodes=100)
    )


@pytest.mark.parametrize("kind", [Dqn, Recurrent])
def test_a_file_that_is_no_checkpoint_is_a_clear_error(kind, tmp_path):
    good, path = tmp_path / "good.pt", tmp_path / "bad.pt"
    learner = kind(lanes=4)
    Campaign(pairs, learner=learner, seed=0).run(episodes=10)
    learner.save(good)

    def refused(why):
        with pytest.raises(ConfigurationError, match=why) as caught:
            kind.load(path)
        assert str(path) in str(caught.value)

    refused("No such file")
    path.write_text("hello")
    refused("damaged, or no checkpoint")
    path.write_bytes(good.read_bytes()[:-2000])
    refused("damaged, or no checkpoint")
    torch.save([1, 2], path)
    refused("not a file of rlcheck, or not of the kind")
    data = torch.load(good, weights_only=True)
    torch.save({**data, "version": 99}, path)
    refused("version 99")
    torch.save({key: value for key, value in data.items() if key != "tokens"}, path)
    refused("does not fit")
    torch.save(Evil(), path)
    refused("damaged, or no checkpoint")
    other = Recurrent if kind is Dqn else Dqn
    with pytest.raises(ConfigurationError, match="not of the kind"):
        other.load(good)


class Evil:
    def __reduce__(self):
        return (pytest.fail, ("loading ran code",))


@pytest.mark.parametrize(
    ("config", "wrong"),
    [
        (DqnConfig(), {"window": 0}),
        (DqnConfig(), {"epsilon": 1.5}),
        (DqnConfig(), {"temperature": -1.0}),
        (DqnConfig(), {"step_size": 0.0}),
        (RecurrentConfig(), {"core": "gru"}),
        (RecurrentConfig(), {"inputs": "AX"}),
        (RecurrentConfig(), {"inputs": ""}),
        (RecurrentConfig(), {"width": 0}),
        (RecurrentConfig(), {"entropy": -0.1}),
        (RecurrentConfig(), {"discount": 2.0}),
        (RecurrentConfig(), {"step_size": -1.0}),
        (RecurrentConfig(core="transformer"), {"width": 48}),
    ],
)
def test_a_wrong_setting_is_named(config, wrong):
    (name, value) = next(iter(wrong.items()))
    with pytest.raises(ConfigurationError, match=f"{name}={value!r}"):
        replace(config, **wrong)


@pytest.mark.parametrize("kind", [Dqn, Recurrent])
def test_a_wrong_argument_is_named(kind):
    with pytest.raises(ConfigurationError, match="lanes=0"):
        kind(lanes=0)
    with pytest.raises(ConfigurationError, match="threads=0"):
        kind(threads=0)
    with pytest.raises(ConfigurationError, match="device='nowhere' cannot be used"):
        kind(device="nowhere")
    with pytest.raises(ConfigurationError, match="no method select"):
        kind(DqnConfig(bootstrap=object()) if kind is Dqn else RecurrentConfig(bootstrap=object()))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_cuda_that_is_not_there_is_a_clear_error():
    with pytest.raises(ConfigurationError, match="device='cuda' cannot be used"):
        Dqn(device="cuda")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.parametrize("kind", [Dqn, Recurrent])
def test_cuda(kind):
    assert Campaign(pairs, valid=rising, learner=kind(device="cuda"), seed=0).run(episodes=300).valid > 0


def test_threads_of_others_are_left_alone():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        Campaign(pairs, learner=Dqn(threads=1, lanes=4), seed=0).run(episodes=20)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_the_global_generator_of_pytorch_is_left_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    Campaign(pairs, learner=Recurrent(RecurrentConfig(width=16, batch=4), lanes=4), seed=0).run(episodes=20)
    assert torch.equal(torch.rand(3), expected)


def test_an_abandoned_episode_is_not_learned_from():
    learner = Dqn(lanes=4)
    point = ChoicePoint("here", 0)
    learner.select(point, (), 3)
    learner.reward(1.0)
    learner.drop()
    learner.update(ended(Outcome.VALID))
    assert not learner._pending


def test_without_torch_the_extra_is_named():
    code = """
import sys
sys.modules["torch"] = None
import rlcheck
for make in (lambda: rlcheck.Campaign(print, learner="dqn"), lambda: rlcheck.learners.Recurrent):
    try:
        make()
    except rlcheck.RlcheckError as error:
        print(error)
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert run.stdout.count("needs torch. Install it with: pip install '.[torch]'") == 2
