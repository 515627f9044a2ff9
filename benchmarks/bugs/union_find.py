"""Disjoint sets as a forest with ranks: find, union, list the members, and take an element out."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: The parent and the rank of each element, and the number of sets. A root is its own parent.
Forest = tuple[tuple[int, ...], tuple[int, ...], int]
Input = tuple[Forest, int, int]

MOST, RANKS = 12, range(5)


def root(forest: Forest, element: int) -> int:
    """Return the root above an element."""
    for _ in forest[0]:
        if forest[0][element] == element:
            return element
        element = forest[0][element]
    raise ValueError("the parents run in a circle")


def partition(forest: Forest) -> list[list[int]]:
    """Return the sets in order."""
    sets: dict[int, list[int]] = {}
    for element in range(len(forest[0])):
        sets.setdefault(root(forest, element), []).append(element)
    return sorted(sets.values())


def is_forest(forest: Forest) -> bool:
    """Whether ranks ascend to the roots, and the number of sets is right."""
    parents, ranks, count = forest
    if not all(0 <= parent < len(parents) for parent in parents):
        return False
    ascending = all(
        parent == element or ranks[element] < ranks[parent] for element, parent in enumerate(parents)
    )
    return ascending and count == sum(parent == element for element, parent in enumerate(parents))


class UnionFind:
    """The operations; each returns a new forest."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def find(self, forest: Forest, element: int) -> tuple[int, Forest]:
        """Return the root of an element, and the forest in which all on the way point to it."""
        parents, top = list(forest[0]), root(forest, element)
        if self.bug == "find-stops-at-grandparent":
            top = parents[parents[element]]
        while parents[element] != element:
            above = parents[element]
            parents[element] = top
            if self.bug == "find-turns-root" and above == top and parents.count(top) > 4:
                parents[top] = element
                break
            if self.bug == "find-flattens-first-only":
                break
            element = above
        return top, (tuple(parents), *forest[1:])

    def union(self, forest: Forest, one: int, other: int) -> Forest:
        """Return the forest in which the sets of two elements are one."""
        first, forest = self.find(forest, one)
        second, (held, rank, count) = self.find(forest, other)
        parents, ranks = list(held), list(rank)
        if first == second:
            return (held, rank, count if self.bug != "union-counts-same" or one == other else count - 1)
        if self.bug == "union-compares-elements":
            lower = ranks[one] < ranks[other]
        else:
            lower = ranks[first] < ranks[second] if self.bug != "union-never-swaps" else False
        if lower:
            first, second, one, other = second, first, other, one
        if self.bug == "union-links-element" and ranks[other] > 0:
            parents[other] = first
        else:
            parents[second] = first if self.bug != "union-links-below-element" else one
        if ranks[first] == ranks[second] and self.bug != "union-keeps-rank":
            ranks[first] += 1
        return (tuple(parents), tuple(ranks), count - 1)

    def connected(self, forest: Forest, one: int, other: int) -> bool:
        """Whether two elements are in one set."""
        parents = forest[0]
        if self.bug == "connected-compares-parents":
            return parents[one] == parents[other]
        if self.bug == "connected-looks-up-once":
            return root(forest, one) in (parents[other], parents[parents[other]])
        return root(forest, one) == root(forest, other)

    def members(self, forest: Forest, element: int) -> list[int]:
        """Return the elements of a set in order."""
        top = root(forest, element)
        found = [top]
        for each in found:
            below = [i for i, parent in enumerate(forest[0]) if parent == each and i != each]
            if self.bug == "members-of-root-only" and each != top:
                continue
            if self.bug == "members-skip-last" and len(below) > 2:
                below.pop()
            found += below
        return sorted(found)

    def isolate(self, forest: Forest, element: int) -> Forest:
        """Return the forest in which an element has a set of its own."""
        parents, ranks, count = list(forest[0]), list(forest[1]), forest[2]
        below = [i for i, parent in enumerate(parents) if parent == element and i != element]
        above = parents[element]
        if above == element and not below:
            return forest
        if above == element:
            above = max(below, key=lambda each: ranks[each])
            if self.bug != "isolate-keeps-heir-rank":
                ranks[above] = ranks[element]
            if self.bug == "isolate-leaves-heir-below":
                below.remove(above)
                above = element
            elif self.bug == "isolate-crowns-without-siblings":
                parents[above] = above
                below = below[:1]
        if self.bug != "isolate-forgets-children":
            for each in below:
                parents[each] = above
        parents[element] = element
        if self.bug != "isolate-keeps-rank":
            ranks[element] = 0
        return (tuple(parents), tuple(ranks), count + 1 if self.bug != "isolate-keeps-count" else count)


def find_sets(sets: UnionFind, value: Input) -> bool:
    """Finding a root changes no set."""
    forest, element, _ = value
    found, made = sets.find(forest, element)
    return found == root(forest, element) and is_forest(made) and partition(made) == partition(forest)


def find_flattens(sets: UnionFind, value: Input) -> bool:
    """After a find, all on the way point to the root."""
    forest, element, _ = value
    found, made = sets.find(forest, element)
    while forest[0][element] != element:
        if made[0][element] != found:
            return False
        element = forest[0][element]
    return True


def union_sets(sets: UnionFind, value: Input) -> bool:
    """A union makes one set of two, and changes no other."""
    forest, one, other = value
    kept = [part for part in partition(forest) if one not in part and other not in part]
    both = {each for part in partition(forest) if one in part or other in part for each in part}
    made = sets.union(forest, one, other)
    return partition(made) == sorted([*kept, sorted(both)])


def union_valid(sets: UnionFind, value: Input) -> bool:
    """A union keeps ranks and the number of sets right."""
    return is_forest(sets.union(*value))


def connected_sets(sets: UnionFind, value: Input) -> bool:
    """Two elements are connected if one set has both."""
    forest, one, other = value
    return sets.connected(*value) == any(one in part and other in part for part in partition(forest))


def members_sets(sets: UnionFind, value: Input) -> bool:
    """The members of a set are those with the same root."""
    forest, element, _ = value
    return sets.members(forest, element) in [part for part in partition(forest) if element in part]


def isolate_sets(sets: UnionFind, value: Input) -> bool:
    """Taking an element out changes its set only."""
    forest, element, _ = value
    kept = [[each for each in part if each != element] for part in partition(forest)]
    made = sets.isolate(forest, element)
    return partition(made) == sorted([[element], *(part for part in kept if part)])


def isolate_valid(sets: UnionFind, value: Input) -> bool:
    """Taking an element out keeps ranks and the number of sets right, and resets its rank."""
    made = sets.isolate(*value[:2])
    alone = made[0].count(value[1]) == 1 and made != value[0]
    return is_forest(made) and (not alone or made[1][value[1]] == 0)


def valid(value: Input) -> bool:
    """Whether it is a forest that has both elements."""
    forest, one, other = value
    return one < len(forest[0]) and other < len(forest[0]) and is_forest(forest)


def generator(choose: Choose) -> Input:
    """Make any parents and ranks, any number of sets, and two elements."""
    size = choose(range(1, MOST + 1))
    nodes = [(choose(range(size)), choose(RANKS)) for _ in range(size)]
    parents, ranks = zip(*nodes, strict=True)
    return (parents, ranks, choose(range(1, size + 1))), choose(range(size)), choose(range(size))


def handwritten(random: Random) -> Input:
    """Put most elements below one of a greater rank."""
    size = random.randint(1, MOST)
    ranks = [random.choice(RANKS) for _ in range(size)]
    parents = list(range(size))
    for element, rank in enumerate(ranks):
        above = [other for other in range(size) if ranks[other] > rank]
        if above and random.random() < 0.8:
            parents[element] = random.choice(above)
    count = sum(parent == element for element, parent in enumerate(parents))
    return (tuple(parents), tuple(ranks), count), random.randrange(size), random.randrange(size)


def inputs(size: int) -> st.SearchStrategy[Input]:
    """Any parents and ranks of `size` elements, any number of sets, and two elements."""
    elements = st.integers(0, size - 1)
    parents = st.tuples(*[elements] * size)
    ranks = st.tuples(*[st.integers(RANKS[0], RANKS[-1])] * size)
    return st.tuples(st.tuples(parents, ranks, st.integers(1, size)), elements, elements)


WORKLOAD = Workload(
    "union-find",
    UnionFind,
    generator,
    st.integers(1, MOST).flatmap(inputs),
    valid,
    {
        "find-stops-at-grandparent": (find_sets, union_sets),
        "find-turns-root": (find_sets, union_sets),
        "find-flattens-first-only": (find_flattens,),
        "union-counts-same": (union_valid,),
        "union-compares-elements": (union_valid,),
        "union-never-swaps": (union_valid,),
        "union-links-element": (union_sets, union_valid),
        "union-links-below-element": (union_valid,),
        "union-keeps-rank": (union_valid,),
        "connected-compares-parents": (connected_sets,),
        "connected-looks-up-once": (connected_sets,),
        "members-of-root-only": (members_sets,),
        "members-skip-last": (members_sets,),
        "isolate-keeps-heir-rank": (isolate_valid,),
        "isolate-leaves-heir-below": (isolate_sets, isolate_valid),
        "isolate-crowns-without-siblings": (isolate_sets, isolate_valid),
        "isolate-forgets-children": (isolate_sets, isolate_valid),
        "isolate-keeps-rank": (isolate_valid,),
        "isolate-keeps-count": (isolate_valid,),
    },
    handwritten,
)
