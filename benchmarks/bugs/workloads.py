"""All workloads of the suite of planted bugs."""

from __future__ import annotations

from benchmarks.bugs import (
    avl,
    binomial_heap,
    btree,
    calendar_days,
    compiler,
    crdt,
    diff_patch,
    interval_tree,
    json_text,
    leftist_heap,
    lru_cache,
    regex,
    rope,
    skip_list,
    sql_planner,
    treap,
    trie,
    union_find,
)

WORKLOADS = {
    module.WORKLOAD.name: module.WORKLOAD
    for module in (
        avl,
        btree,
        leftist_heap,
        binomial_heap,
        treap,
        trie,
        rope,
        union_find,
        lru_cache,
        json_text,
        regex,
        compiler,
        sql_planner,
        diff_patch,
        skip_list,
        interval_tree,
        crdt,
        calendar_days,
    )
}
