"""Minimises a failing test of an interface: drops calls, simplifies arguments, swaps calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

from rlcheck.failure import place_of
from rlcheck.frontends.api.calls import Call
from rlcheck.frontends.api.trial import Rules, failure_of

#: Tests up to this length are tried without each pair of calls: the number of pairs grows with its square.
_SHORT = 20
#: How many attempts to drop one call and change another: there are very many.
_SWAPS = 5_000


def minimise(rules: Rules, calls: Sequence[Call]) -> tuple[list[Call], Exception] | None:
    """The fewest and simplest calls found that fail at the same place, and what they raise.

    None if the calls do not fail again, because the subject depends on more than them.
    """
    found = failure_of(rules, calls)
    if found is None:
        return None
    where = place_of(found[0])
    best = list(calls[: found[1]])
    error = found[0]

    def fails(attempt: list[Call]) -> bool:
        nonlocal best, error
        again = failure_of(rules, attempt)
        if again is None or place_of(again[0]) != where:
            return False
        error, made = again
        best = attempt[:made]
        return True

    swaps_left = _SWAPS
    size = None
    while size != (size := _size(best)):
        _drop(lambda: best, fails)
        _simplify(lambda: best, fails)
        _drop_pairs(lambda: best, fails)
        if size == _size(best) and len(best) <= _SHORT:
            for attempt in islice(_swaps(rules, best), swaps_left):
                swaps_left -= 1
                if fails(attempt):
                    break
    return best, error


def _size(calls: Sequence[Call]) -> tuple[int, int]:
    return len(calls), sum(sum(call.places) for call in calls)


def _drop(best: Callable[[], list[Call]], fails: Callable[[list[Call]], bool]) -> None:
    """Drop calls: halves, quarters, and so on down to single calls, the last ones first."""
    length = len(best()) // 2
    while length:
        end = len(best())
        while end > 0:
            start = max(0, end - length)
            rest = best()[:start] + best()[end:]
            if not fails(rest):
                # If the last call takes an index, the element there may have moved.
                any(fails([*rest[:-1], moved]) for moved in _lowered(rest[-1:], end - start))
            end = min(start, len(best()))
        length //= 2


def _drop_pairs(best: Callable[[], list[Call]], fails: Callable[[list[Call]], bool]) -> None:
    """Drop any two calls of a short test: one may only undo the other."""
    if len(best()) <= _SHORT:
        for first, second in combinations(range(len(best()) - 1), 2):
            calls = best()
            if second < len(calls):
                fails(calls[:first] + calls[first + 1 : second] + calls[second + 1 :])


def _swaps(rules: Rules, calls: list[Call]) -> Iterator[list[Call]]:
    """Every test with one call dropped and another one changed."""
    # Options that depend on the subject are not known here.
    known = [(n, some) for n, some in enumerate(rules.operations) if some.fixed is not None]
    others = [call for number, operation in known for call in operation.calls(number, None)]
    for dropped in range(len(calls)):
        rest = calls[:dropped] + calls[dropped + 1 :]
        for number, call in enumerate(rest):
            yield from ([*rest[:number], other, *rest[number + 1 :]] for other in others if other != call)


def _lowered(last: list[Call], by: int) -> Iterator[Call]:
    """The call with one of its arguments moved this many places down."""
    for call in last:
        for argument, place in enumerate(call.places):
            if place >= by:
                yield Call(
                    call.operation, (*call.places[:argument], place - by, *call.places[argument + 1 :])
                )


def _simplify(best: Callable[[], list[Call]], fails: Callable[[list[Call]], bool]) -> None:
    """Try earlier options: the first, then one halfway, then the one before."""
    number = 0
    while number < len(best()):
        call = best()[number]
        for argument, place in enumerate(call.places):
            for simpler in dict.fromkeys((0, place // 2, place - 1)):
                places = (*call.places[:argument], simpler, *call.places[argument + 1 :])
                attempt = [*best()[:number], Call(call.operation, places), *best()[number + 1 :]]
                if 0 <= simpler < place and fails(attempt):
                    break
            if number >= len(best()):
                return
            call = best()[number]
        number += 1
