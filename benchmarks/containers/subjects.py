"""The subjects of the study: fifteen from the paper, and those of other people."""

from __future__ import annotations

from benchmarks.containers import handles, heaps, lists, maps, oracles, packages, planted, trees
from benchmarks.containers.subject import KEYS, Subject

_SET = {"insert": [KEYS], "remove": [KEYS], "find": [KEYS]}
_MAP = {"put": [KEYS, KEYS], "get": [KEYS], "remove": [KEYS]}
_HEAP: dict[str, list[range]] = {"insert": [KEYS], "extract_min": [], "find_min": []}
_LIST = {
    "add": [KEYS],
    "add_first": [KEYS],
    "insert": [KEYS, KEYS],
    "get": [KEYS],
    "remove_at": [KEYS],
    "remove": [KEYS],
}
_TABLE = {"put": [KEYS], "remove": [KEYS], "contains": [KEYS]}

_BINOMIAL = {"insert": [KEYS], "delete": [KEYS], "extract_min": [], "decrease_key": [KEYS, KEYS]}
_SINGLE = {"add": [KEYS], "add_first": [KEYS], "remove": [KEYS], "index_of": [KEYS]}
_TREE_MAP = _MAP | {"first_key": [], "last_key": [], "higher_key": [KEYS]}
_TREE_SET = {
    "add": [KEYS],
    "remove": [KEYS],
    "contains": [KEYS],
    "first": [],
    "poll_first": [],
    "ceiling": [KEYS],
}
_HANDLED = [
    (handles.insert, KEYS),
    (handles.extract_min,),
    (handles.decrease_key, handles.nodes, KEYS),
    (handles.delete, handles.nodes),
]

TEXTBOOK = [
    Subject("AvlTree", trees.AvlTree, _SET, oracles.Keys),
    Subject("BinomialHeap", heaps.BinomialHeap, _BINOMIAL, oracles.Queue),
    Subject("BinTree", trees.BinTree, _SET, oracles.Keys),
    Subject("ChainedHashTable", lists.ChainedHashTable, _TABLE, oracles.Keys),
    Subject("FibHeap", heaps.FibHeap, _HEAP, oracles.Queue),
    Subject(
        "FibonacciHeap",
        handles.HandledHeap,
        _HANDLED,
        invariants=(handles.least_is_least, handles.size_is_right),
        shape=handles.heap_shape,
        coverage=(heaps.__name__,),
    ),
    Subject("HeapArray", heaps.HeapArray, _HEAP, oracles.StrictQueue),
    Subject("IntAvlTreeMap", maps.IntAvlTreeMap, _MAP, oracles.Values),
    Subject("IntRedBlackTree", maps.IntRedBlackTree, _SET, oracles.Keys),
    Subject("LinkedList", lists.LinkedList, _LIST, oracles.Sequence),
    Subject("NodeCachingLinkedList", lists.NodeCachingLinkedList, _LIST, oracles.Sequence),
    Subject("SinglyLinkedList", lists.SinglyLinkedList, _SINGLE, oracles.Sequence),
    Subject("SplayTree", trees.SplayTree, _SET, oracles.Keys),
    Subject("TreeMap", maps.TreeMap, _TREE_MAP, oracles.Values),
    Subject("TreeSet", maps.TreeSet, _TREE_SET, oracles.Keys),
]

PLANTED = [
    Subject(bug.__name__, bug, operations, oracle, coverage=(bug.__module__, bug.__base__.__module__))
    for bug, operations, oracle in (
        (planted.ForgottenParent, _SET, oracles.Keys),
        (planted.WrongRotation, _SET, oracles.Keys),
        (planted.LostMinimum, _HEAP, oracles.Queue),
        (planted.OffByOneResize, _TABLE, oracles.Keys),
        (planted.StaleCache, _LIST, oracles.Sequence),
    )
]

_PUT, _TAKE, _LOOK_UP = (packages.put, KEYS, KEYS), (packages.take, KEYS), (packages.look_up, KEYS)

PACKAGES = [
    Subject(
        "SortedList",
        packages.sorted_list,
        [("add", KEYS), ("discard", KEYS), ("bisect_left", KEYS), ("pop", KEYS)],
        packages.PlainSortedList,
        package="sortedcontainers",
    ),
    Subject(
        "SortedDict",
        packages.sorted_dict,
        [_PUT, _TAKE, _LOOK_UP, ("peekitem", KEYS)],
        packages.PlainSortedDict,
        coverage=("sortedcontainers.sorteddict", "sortedcontainers.sortedlist"),
        package="sortedcontainers",
    ),
    Subject(
        "heapdict",
        packages.heap_dict,
        [(packages.put_ranked, KEYS, KEYS), _TAKE, _LOOK_UP, "popitem"],
        packages.LeastFirst,
        package="heapdict",
    ),
    Subject(
        "LRUCache", packages.lru_cache, [_PUT, _TAKE, _LOOK_UP], packages.LeastRecent, package="cachetools"
    ),
    Subject(
        "bidict",
        packages.two_way,
        [("forceput", KEYS, KEYS), _TAKE, _LOOK_UP, (packages.key_of, KEYS)],
        packages.PlainTwoWay,
        coverage=("bidict",),
        package="bidict",
    ),
    Subject(
        "CharTrie",
        packages.char_trie,
        [
            (packages.put, packages.WORDS, KEYS),
            (packages.take, packages.WORDS),
            (packages.below, packages.WORDS),
            (packages.longest_prefix, packages.WORDS),
        ],
        packages.PlainTrie,
        package="pygtrie",
    ),
    Subject(
        "PMap",
        packages.PersistentMap,
        {"put": [KEYS, KEYS], "remove": [KEYS], "get": [KEYS]},
        packages.PlainMap,
        shape=packages.buckets,
        coverage=("pyrsistent._pmap",),
        package="pyrsistent",
    ),
    Subject(
        "IntervalTree",
        packages.Intervals,
        {"add": [KEYS, range(6)], "discard": [KEYS, range(6)], "at": [KEYS], "cut_out": [KEYS, range(6)]},
        packages.PlainIntervals,
        coverage=("intervaltree",),
        package="intervaltree",
    ),
    Subject(
        "treelib",
        packages.Family,
        {"add": [KEYS, KEYS], "remove": [KEYS], "move": [KEYS, KEYS], "depth": [KEYS]},
        packages.PlainFamily,
        coverage=("treelib.tree", "treelib.node"),
        package="treelib",
    ),
]
