"""All workloads of the suite of planted bugs."""

from __future__ import annotations

from benchmarks.bugs import (
    avl,
    binomial_heap,
    btree,
    compiler,
    diff_patch,
    json_text,
    leftist_heap,
    lru_cache,
    regex,
    rope,
    sql_planner,
    treap,
    trie,
    union_find,
)
from benchmarks.bugs.workload import Task

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
    )
}

TASKS: dict[str, Task] = {task.name: task for each in WORKLOADS.values() for task in each.tasks()}
