"""The environment: a generator stepped by an agent."""

import random
import re

import pytest

import rlcheck
from rlcheck.errors import ConfigurationError
from rlcheck.rewards import Combine

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("greenlet")
np = pytest.importorskip("numpy")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from rlcheck.cli import demo  # noqa: E402
from rlcheck.frontends.agents.gym_env import ChoiceEnv, ChoiceVectorEnv, program  # noqa: E402


def pair(choose):
    first = choose(range(4))
    second = choose(range(4))
    return first, second


def ordered(made):
    return made[0] < made[1]


def play(env, actions):
    env.reset()
    return [env.step(action) for action in actions]


def test_it_is_a_proper_environment():
    check_env(rlcheck.ChoiceEnv(demo.tree, valid=demo.is_bst), skip_render_check=True)
    check_env(ChoiceEnv(program(lambda rng: [rng.randint(1, 6), rng.random()])), skip_render_check=True)


def test_steps_are_choices_and_the_last_one_is_rewarded():
    env = ChoiceEnv(pair, valid=ordered, levels=4)
    (_, reward, over, _, _), (_, last, ended, cut, info) = play(env, [1, 3])
    assert (reward, over, last, ended, cut) == (0.0, False, 1.0, True, False)
    assert info == {"outcome": "valid", "choices": (1, 3), "unique": True}
    assert play(env, [3, 0])[-1][1] == 0.0
    assert env.campaign.summary.episodes == 2
    assert env.campaign.summary.valid == 1


def test_an_action_is_a_level_of_256():
    env = ChoiceEnv(lambda choose: [choose(range(1000)), choose("ab")], levels=256)
    info = play(env, [128, 255])[-1][4]
    assert info["choices"] == (500, 1)


def test_an_observation_tells_states_and_sizes_apart():
    env = ChoiceEnv(pair, max_states=8)
    first, _ = env.reset()
    second = env.step(0)[0]
    assert first[:8].argmax() != second[:8].argmax()
    assert first[:8].sum() == second[:8].sum() == 1.0
    assert first[8] == pytest.approx(np.log10(5))
    assert (env.reset()[0] == first).all()


def test_states_beyond_the_last_place_share_places():
    env = ChoiceEnv(lambda choose: [choose(range(2), state=number) for number in range(9)], max_states=3)
    env.reset()
    assert all(env.observation_space.contains(env.step(0)[0]) for _ in range(9))


def test_a_failing_property_and_new_branches_are_rewarded():
    def fails(made):
        assert made != (3, 3)

    env = ChoiceEnv(pair, test=fails, levels=4, reward=Combine({"validity": 2.0, "failure": 5.0}))
    assert play(env, [3, 3])[-1][1] == 7.0
    assert play(env, [3, 2])[-1][1] == 2.0
    env = ChoiceEnv(
        demo.tree,
        valid=demo.is_bst,
        reward=Combine({"new-branches": 1.0}),
        coverage=["rlcheck.cli.demo"],
    )
    rewards = [step[1] for step in play(env, [0, 0])]
    assert rewards[0] > 0.0, "branches of the generator count at once"


def test_too_long_an_episode_is_truncated():
    env = ChoiceEnv(lambda choose: [choose(range(2)) for _ in range(9)], max_choices=3)
    _, _, over, cut, info = play(env, [0, 0, 0])[-1]
    assert (over, cut, info["outcome"]) == (False, True, "invalid")


def test_an_abandoned_episode_leaves_nothing():
    ended = []

    def careful(choose):
        try:
            return [choose(range(4)) for _ in range(5)]
        finally:
            ended.append(True)

    env = ChoiceEnv(careful)
    env.reset()
    env.step(0)
    env.reset()
    assert ended == [True]
    assert env.campaign.summary.episodes == 0
    env.close()
    assert ended == [True, True]
    with pytest.raises(ConfigurationError, match="outside an episode"):
        env.step(0)


def test_render_shows_the_episode_so_far():
    env = ChoiceEnv(pair, valid=ordered, levels=4, render_mode="ansi")
    env.reset()
    env.step(2)
    (line,) = env.render().splitlines()
    assert line.startswith(f"{__name__}.pair:")
    assert line.endswith(": option 2 of 4")
    env.step(0)
    assert env.render().endswith("option 0 of 4\ninvalid")
    assert ChoiceEnv(pair).render() is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"levels": 1}, "levels=1"),
        ({"max_states": 0}, "max_states=0"),
        ({"render_mode": "human"}, "render_mode='human'"),
        ({"learner": "diverse"}, "its agent learns"),
        ({"reward": "nothing"}, "is not known"),
    ],
)
def test_wrong_arguments_are_refused(options, message):
    with pytest.raises(ConfigurationError, match=message):
        ChoiceEnv(pair, **options)


@pytest.mark.parametrize("action", [4, -1, 1.5, None, "2", [1], float("nan")])
def test_an_action_must_be_a_level(action):
    env = ChoiceEnv(pair, levels=4)
    env.reset()
    with pytest.raises(ConfigurationError, match=re.escape(f"action={action!r} must be an integer below 4")):
        env.step(action)
    assert env.step(np.int64(3))[2] is False


def test_wrong_generators_are_refused():
    with pytest.raises(ConfigurationError, match="makes no choices"):
        ChoiceEnv(lambda choose: 1).reset()
    with pytest.raises(ConfigurationError, match="num_envs=0"):
        ChoiceVectorEnv(pair, num_envs=0)


def test_what_the_generator_raises_reaches_who_steps():
    env = ChoiceEnv(lambda choose: 1 // choose(range(2)))
    env.reset()
    with pytest.raises(rlcheck.RlcheckError, match="ZeroDivisionError"):
        env.step(0)


def test_several_are_stepped_together_and_number_states_alike():
    envs = rlcheck.ChoiceVectorEnv(pair, num_envs=3, valid=ordered, levels=4, max_states=8)
    first, _ = envs.reset(seed=0)
    assert (first == first[0]).all()
    envs.step(np.array([0, 1, 3]))
    _, rewards, over, _, _ = envs.step(np.array([1, 1, 3]))
    assert rewards.tolist() == [1.0, 0.0, 0.0]
    assert over.all()
    envs.close()


def test_stable_baselines_learns_search_trees():
    """PPO, as it is, makes valid trees more often than random actions do."""
    torch = pytest.importorskip("torch")
    baselines = pytest.importorskip("stable_baselines3")
    torch.set_num_threads(1)
    shape = random.Random(0)

    def tree(rng):
        value = rng.randint(1, 4)
        left = rng.randint(1, 4) if shape.random() < 0.9 else None
        return value, left

    def is_bst(node):
        value, left = node
        return left is None or left < value

    env = ChoiceEnv(program(tree), valid=is_bst, levels=4, max_states=4)
    agent = baselines.PPO("MlpPolicy", env, n_steps=256, learning_rate=0.003, gamma=1.0, seed=0, device="cpu")

    def success():
        before = env.campaign.summary.valid
        for _ in range(100):
            seen, _ = env.reset()
            over = False
            while not over:
                action, _ = agent.predict(seen)
                seen, _, over, _, _ = env.step(int(action))
        return env.campaign.summary.valid - before

    untrained = success()
    agent.learn(2_560)
    assert success() > untrained + 25
