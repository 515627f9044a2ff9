"""Spans: what a state says when a front end names the frames."""

import pytest

from rlcheck import Guide, Outcome
from rlcheck.abstractions.spans import Spans
from rlcheck.errors import ConfigurationError


class Scripted:
    """Takes the options it is told, and keeps what it was shown."""

    def __init__(self, script=()):
        self.script = list(script)
        self.seen = []

    def select(self, point, state, n):
        self.seen.append(state)
        return self.script.pop(0) if self.script else 0

    def reward(self, value): ...

    def update(self, outcome): ...


def states(walk, script=(), spans=None):
    """The states of the choices that a walk over a guide and its spans makes."""
    spans = spans or Spans()
    learner = Scripted(script)
    guide = Guide(learner, spans)
    guide.start()
    walk(guide.choose, spans)
    guide.finish(Outcome.VALID)
    return learner.seen


def nested(choose, spans):
    choose(range(9), at="a")
    spans.enter("inner")
    choose(range(9), at="b")
    choose(range(9), at="c")
    spans.leave()
    choose(range(9), at="d")


def test_a_choice_is_part_of_later_states_of_its_frame():
    one, other = states(nested, [1, 2, 3]), states(nested, [1, 5, 3])
    assert one[1] == other[1]
    assert one[2] != other[2]


def test_an_inner_frame_knows_what_the_outer_one_chose():
    spans = Spans()
    one, other = states(nested, [1], spans), states(nested, [2], spans)
    assert one[1] != other[1]  # It begins with its first choice.
    assert one[2].outside != other[2].outside
    assert one[2].inside == other[2].inside


def test_a_frame_leaves_its_first_choice_to_the_one_outside():
    base = states(nested, [1, 2, 3])
    first = states(nested, [1, 5, 3])
    later = states(nested, [1, 2, 7])
    assert base[3] != first[3]
    assert base[3] == later[3]


def test_a_frame_of_one_choice_is_told_from_a_longer_one():
    def walk(choose, spans, *, longer):
        spans.enter("inner")
        choose(range(9), at="b")
        if longer:
            choose(range(9), at="c")
        spans.leave()
        choose(range(9), at="d")

    short = states(lambda choose, spans: walk(choose, spans, longer=False))
    assert short[-1] != states(lambda choose, spans: walk(choose, spans, longer=True))[-1]


def test_a_frame_without_a_choice_is_not_seen():
    def plain(choose, spans):
        choose(range(9), at="a")
        choose(range(9), at="b")

    def wrapped(choose, spans):
        choose(range(9), at="a")
        spans.enter("empty")
        spans.leave()
        choose(range(9), at="b")

    assert states(plain, [3]) == states(wrapped, [3])


def test_frames_with_other_labels_are_told_apart():
    def walk(label):
        def inside(choose, spans):
            choose(range(9), at="a")
            spans.enter(label)
            choose(range(9), at="b")
            choose(range(9), at="c")

        return inside

    spans = Spans()
    assert states(walk("x"), spans=spans)[2] != states(walk("y"), spans=spans)[2]
    assert states(walk("x"), spans=spans) == states(walk("x"), spans=spans)


def test_a_quiet_choice_leaves_no_trace():
    def walk(choose, spans):
        spans.quiet = True
        choose(range(9), at="a")
        spans.quiet = False
        choose(range(9), at="b")

    assert states(walk, [1]) == states(walk, [2])


def test_a_context_is_part_of_every_later_state():
    def walk(value):
        def inside(choose, spans):
            choose(range(9), at="a")
            spans.context(value)
            choose(range(9), at="b")
            spans.enter("x")
            choose(range(9), at="c")

        return inside

    spans = Spans()
    one, other = states(walk(("open", 1)), spans=spans), states(walk(("open", 2)), spans=spans)
    assert one[0] == other[0]
    assert all(left != right for left, right in zip(one[1:], other[1:], strict=True))
    assert states(walk(("open", 1)), spans=spans) == one


def test_a_context_ends_with_its_episode():
    spans = Spans()

    def plain(choose, spans):
        choose(range(9), at="a")

    def told(choose, spans):
        spans.context("c")
        choose(range(9), at="a")

    before = states(plain, spans=spans)
    states(told, spans=spans)
    assert states(plain, spans=spans) == before


def test_frames_and_a_context_may_begin_before_the_first_choice():
    def after(label, context):
        spans = Spans()
        learner = Scripted()
        guide = Guide(learner, spans)
        seen = []
        for _ in range(2):
            guide.start()
            spans.context(context)
            spans.enter(label)
            guide.choose(range(9), at="a")
            guide.choose(range(9), at="b")
            seen.append(learner.seen[-1])
            guide.finish(Outcome.VALID)
        assert seen[0] == seen[1]
        place = seen[0]
        return [known.parts for known in place.outside], place.inside.parts, place.made

    assert after("x", 1) == after("x", 1)
    assert len(after("x", 1)[0]) == 2  # What is around the frame, and the context.


def test_window_and_recent_bound_a_state():
    def deep(choose, spans):
        for depth in range(6):
            spans.enter(depth)
            for _ in range(6):
                choose(range(9), at="x")

    seen = states(deep, spans=Spans(window=2, recent=3))
    assert max(len(place.outside) for place in seen) == 2
    assert max(len(place.inside.parts[-1]) for place in seen) == 4  # The first, and three.


def test_the_label_is_the_one_of_the_innermost_frame():
    spans = Spans()
    assert spans.label is None
    spans.start(None)
    spans.enter("x")
    assert spans.label == "x"
    spans.leave()
    spans.leave()  # The outermost one stays.
    assert spans.label is None


@pytest.mark.parametrize("arguments", [{"window": 0}, {"recent": -1}, {"window": True}])
def test_windows_must_be_positive(arguments):
    with pytest.raises(ConfigurationError, match="must be an integer of at least 1"):
        Spans(**arguments)


def test_a_span_keeps_its_first_choice():
    def five(choose, spans):
        for _ in range(5):
            choose(range(9), at="a")

    place = states(five, script=[7, 1, 2, 3, 4], spans=Spans(recent=2))[-1]
    assert [token >> 16 for token in place.inside.parts[-1]] == [7, 2, 3]
    assert place.made == 4


def test_options_are_compared_with_a_choice_of_the_frame_before_that_of_one_it_called():
    def two_children(choose, spans):
        choose(range(9), at="value")
        for _ in range(2):
            choose(range(2), at="child")
            spans.enter("child")
            choose(range(9), at="value")
            choose(range(9), at="other")
            spans.leave()

    def one_child(choose, spans):
        choose(range(9), at="value")
        choose(range(2), at="no child")
        choose(range(2), at="child")
        spans.enter("child")
        choose(range(9), at="value")

    with_sibling = states(two_children, [5, 1, 3, 0, 1])[5].inside
    without = states(one_child, [5, 0, 1])[3].inside
    point = next(point for point, made in without.latest().items() if made == (2, 5))
    assert with_sibling.latest()[point] == (2, 5), "the same place, and not the sibling's number"


def test_a_learner_sees_which_spans_are_open():
    def walk(choose, spans):
        choose(range(9), at="a")
        spans.enter("one")
        spans.enter("wrapper")
        spans.enter("two")
        choose(range(9), at="b")
        choose(range(9), at="b")
        spans.leave()
        spans.leave()
        choose(range(9), at="c")
        spans.leave()
        spans.enter("one")
        choose(range(9), at="d")

    first, inner, same, outer, again = (place.span for place in states(walk))
    assert same is inner
    assert (first.outer, outer.outer, again.outer) == (None, first, first)
    assert inner.outer.outer is outer
    assert (first.depth, inner.depth) == (0, 3)
    assert again is not outer
    assert again.label == outer.label != inner.label
