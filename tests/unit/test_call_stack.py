"""The call stack as a state, with its histories."""

import pytest

from rlcheck import Guide, Outcome
from rlcheck.abstractions import CallStack
from rlcheck.errors import ConfigurationError


class Seeing:
    """Takes the options it is told, and keeps the states it was shown."""

    def __init__(self, script=()):
        self.script = list(script)
        self.states = []

    def select(self, point, state, n):
        self.states.append(state)
        return self.script.pop(0) if self.script else 0

    def reward(self, value): ...

    def update(self, outcome): ...


def states(generator, script=(), rewards=(), **options):
    learner = Seeing(script)
    guide = Guide(learner, CallStack(**options))
    guide.start()
    generator(lambda *given: (guide.choose(*given), [guide.reward(value) for value in rewards])[0])
    guide.finish(Outcome.VALID)
    return learner.states


def direct(generator, **options):
    learner = Seeing()
    guide = Guide(learner, CallStack(**options))
    for _ in range(2):
        guide.start()
        generator(guide.choose)
        guide.finish(Outcome.VALID)
    return learner.states


def node(choose, depth=0):
    choose(range(31))
    if depth < 2:
        node(choose, depth + 1)
        node(choose, depth + 1)


def test_each_place_in_a_recursion_is_a_state_and_the_same_one_in_every_episode():
    seen = direct(node)
    assert len(seen) == 14
    assert len(set(seen)) == 7
    assert seen[:7] == seen[7:]


def test_draws_on_one_line_share_a_state_and_those_on_two_do_not():
    def one(choose):
        choose(range(2)), choose(range(3))

    def two(choose):
        choose(range(2))
        choose(range(3))

    assert len(set(direct(one))) == 1
    assert len(set(direct(two))) == 2


def test_choices_are_no_part_of_it():
    def walk(choose):
        for _ in range(3):
            choose(range(9))

    assert len(set(states(walk, [1, 2, 3]))) == 1


def test_frames_are_counted_from_the_innermost():
    def deep(choose, depth):
        if depth:
            return deep(choose, depth - 1)
        return choose(range(2))

    def both(choose):
        deep(choose, 3)
        deep(choose, 4)

    assert len(set(direct(both))) == 2
    assert len(set(direct(both, frames=2))) == 1
    assert all(len(state.parts) <= 32 for state in direct(lambda choose: deep(choose, 60)))


def test_a_suspended_function_that_goes_on_has_the_stack_of_its_new_caller():
    def drawing(choose):
        while True:
            yield choose(range(2))

    def resume_here(made):
        next(made)

    def resume_there(made):
        next(made)

    def program(choose):
        made = drawing(choose)
        resume_here(made)
        resume_there(made)

    first, second = direct(program)[:2]
    assert first != second


def test_the_hash_of_a_state_is_the_same_in_every_process():
    (state, _) = direct(lambda choose: choose(range(2)))
    assert all(isinstance(line, int) for part in state.parts for line in part)


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ("", None),
        ("S", [0, 1, 1]),
        ("A", [(), (4,), (7,)]),
        ("R", [(), (0.5,), (0.5,)]),
        ("SAR", [(), (4, 0.5), (7, 0.5)]),
    ],
)
def test_histories_tell_of_earlier_choices(history, expected):
    def program(choose):
        for _ in range(3):
            choose(range(9))

    seen = states(program, [4, 7, 0], rewards=[0.25, 0.25], history=history, recent=1)
    if history == "":
        assert len(set(seen)) == 1
    elif history == "S":
        assert [len(state) - 1 for state in seen] == expected
        assert seen[1][0][0] is seen[1][-1], "the state before is the same place"
    elif history == "SAR":
        assert [state[0][1:] if len(state) > 1 else () for state in seen] == expected
    else:
        assert [state[0] if len(state) > 1 else () for state in seen] == expected


def test_a_history_ends_with_its_episode():
    def program(choose):
        choose(range(2))
        choose(range(2))

    seen = direct(program, history="SAR")
    assert seen[:2] == seen[2:]
    assert [len(state) for state in seen] == [1, 2, 1, 2]


@pytest.mark.parametrize("options", [{"frames": 0}, {"recent": 0}, {"history": "X"}, {"history": 3}])
def test_wrong_arguments_are_refused(options):
    with pytest.raises(ConfigurationError, match=next(iter(options))):
        CallStack(**options)
