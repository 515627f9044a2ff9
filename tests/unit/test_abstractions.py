"""Abstractions: what a state says of the way to a choice."""

import weakref

import pytest

from rlcheck import Guide, Outcome
from rlcheck.abstractions import CallTree, Frames, Sequence
from rlcheck.errors import ConfigurationError


class Scripted:
    """Takes the options it is told, and keeps what it was shown."""

    def __init__(self, script=()):
        self.script = list(script)
        self.seen = []

    def select(self, point, state, n):
        self.seen.append((point.name, state))
        return self.script.pop(0) if self.script else 0

    def reward(self, value): ...

    def update(self, outcome): ...


def states(generator, abstraction, script=()):
    learner = Scripted(script)
    guide = Guide(learner, abstraction)
    guide.start()
    generator(guide.choose)
    guide.finish(Outcome.VALID)
    return [state for _, state in learner.seen]


def node(choose, depth=0):
    choose(range(9), at="value")
    if depth < 2 and choose([False, True], at="left"):
        node(choose, depth + 1)
    if depth < 2 and choose([False, True], at="right"):
        node(choose, depth + 1)


# value 5, left? yes (value 6, no, no), right? yes (value 7, no, no)
BOTH = [5, 1, 6, 0, 0, 1, 7, 0, 0]


def test_call_tree_forgets_a_finished_sibling():
    with_left = states(node, CallTree(window=9, recent=9), BOTH)
    other_left = states(node, CallTree(window=9, recent=9), [5, 1, 8, 0, 0, 1, 7, 0, 0])
    assert with_left[6:] == other_left[6:]
    assert with_left[3] != other_left[3]


def test_call_tree_knows_the_side_and_the_parent():
    seen = states(node, CallTree(), BOTH)
    left, right = seen[2], seen[6]
    assert left != right
    other_parent = states(node, CallTree(), [4, *BOTH[1:]])
    assert other_parent[2] != left


def test_call_tree_holds_window_frames_and_recent_choices():
    def deep(choose, depth=0):
        for _ in range(5):
            choose(range(9))
        if depth < 3:
            deep(choose, depth + 1)

    seen = states(deep, CallTree(window=3, recent=2))
    assert max(len(state.parts) for state in seen) == 3
    assert {len(part) for state in seen for part in state.parts[:-1]} == {1, 3}  # choices and the call
    assert max(len(state.parts[-1]) for state in seen) == 2


def test_call_tree_follows_helpers_comprehensions_and_returns():
    def helper(choose):
        return choose(range(3))

    def generator(choose):
        first = [helper(choose) for _ in range(2)]
        choose(range(3))
        return first, helper(choose)

    seen = states(generator, CallTree(window=8))
    assert len(seen) == 4
    assert states(generator, CallTree(window=8)) == seen


def test_call_tree_works_when_the_episode_was_started_elsewhere():
    learner = Scripted()
    guide = Guide(learner)

    def begin():
        guide.start()

    for _ in range(2):
        begin()
        node(guide.choose)
        guide.finish(Outcome.VALID)
    seen = [state for _, state in learner.seen]
    assert len({*seen}) > 1
    assert seen[: len(seen) // 2] == seen[len(seen) // 2 :]


def test_frames_count_the_choices_of_the_innermost_frame():
    assert [place.made for place in states(node, Frames(), BOTH)] == [0, 1, 0, 1, 2, 2, 0, 1, 2]


def test_frames_tell_which_calls_are_open():
    places = states(node, Frames(), BOTH)
    spans = [place.span for place in places]
    assert spans[0] is spans[1], "the same call"
    assert spans[2].outer is spans[0], "a call inside it"
    assert len({id(span) for span in spans}) == 3
    assert len({span.label for span in spans if span.outer is spans[0]}) == 2, (
        "told apart by where they are called"
    )


@pytest.mark.parametrize("kind", [CallTree, Frames])
def test_the_frames_of_a_finished_episode_are_let_go(kind):
    class Local: ...

    locals_ = []

    def generator(choose):
        local = Local()
        locals_.append(weakref.ref(local))
        choose("ab")

    abstraction = kind()
    states(generator, abstraction)
    assert locals_[0]() is None


def test_sequence_is_the_last_choices():
    def generator(choose):
        for _ in range(4):
            choose(range(9), at="x")

    seen = states(generator, Sequence(window=2), [3, 4, 5, 6])
    tokens = [[token >> 16 for token in state.parts[0]] for state in seen]
    assert tokens == [[], [3], [3, 4], [4, 5]]


def test_states_survive_a_full_intern_table(monkeypatch):
    from rlcheck import states as interned

    def generator(choose):
        for _ in range(20):
            choose(range(9), at="x")

    script = [(7 * i) % 9 for i in range(20)]
    expected = states(generator, Sequence(), script)
    monkeypatch.setattr(interned, "_MOST", 3)
    assert states(generator, Sequence(), script) == expected


def test_an_explicit_state_is_passed_on_as_it_is():
    def generator(choose):
        choose(range(3), at="x", state=("mine", 1))

    assert states(generator, CallTree()) == [("mine", 1)]


@pytest.mark.parametrize(
    "make", [lambda: CallTree(window=0), lambda: CallTree(recent=-1), lambda: Sequence(window=True)]
)
def test_windows_must_be_positive(make):
    with pytest.raises(ConfigurationError, match="must be an integer of at least 1"):
        make()
