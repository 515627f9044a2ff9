"""An agent of Stable-Baselines3 learns to make search trees by stepping the generator."""

import random

import rlcheck
from rlcheck.frontends.agents.gym_env import program

shape = random.Random(0)


def tree(rng):
    """A root and two children; the agent draws the numbers, not the shape."""
    value = rng.randint(1, 3)
    left = rng.randint(1, 3) if shape.random() < 0.7 else None
    right = rng.randint(1, 3) if shape.random() < 0.7 else None
    return value, left, right


def is_bst(node):
    """Whether the root is above its left child and below its right one."""
    value, left, right = node
    return (left is None or left < value) and (right is None or value < right)


env = rlcheck.ChoiceEnv(program(tree), valid=is_bst, levels=3, max_states=4)
try:
    import torch
    from stable_baselines3 import PPO
except ImportError:
    print("this example needs stable-baselines3")
else:
    torch.set_num_threads(1)
    agent = PPO("MlpPolicy", env, n_steps=256, learning_rate=0.003, gamma=1.0, seed=0, device="cpu")
    valid = []
    for _ in range(2):
        before = env.campaign.summary.valid, env.campaign.summary.episodes
        agent.learn(1_024, reset_num_timesteps=False)
        after = env.campaign.summary.valid, env.campaign.summary.episodes
        valid.append((after[0] - before[0]) / (after[1] - before[1]))
    print("the share of valid trees grows:", valid[0] < valid[1])
