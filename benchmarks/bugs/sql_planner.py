"""A small planner of queries: it pushes filters down, picks join orders, and reads ranges of an index."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from hypothesis import strategies as st

from benchmarks.bugs.workload import Workload
from rlcheck.generators import Choose

#: A column and a constant or another column, compared; None is unknown.
Condition = tuple[str, str, Any]
#: Tables, conditions, columns to show, columns to order by ("-" before it: descending), distinct, limit.
Query = tuple[tuple[str, ...], tuple[Condition, ...], tuple[str, ...], tuple[str, ...], bool, int]
Row = dict[str, Any]

TABLES: dict[str, tuple[Row, ...]] = {
    "pet": (
        {"p_id": 1, "p_age": 3, "p_name": "ada"},
        {"p_id": 2, "p_age": 5, "p_name": "bob"},
        {"p_id": 3, "p_age": None, "p_name": "cat"},
        {"p_id": 4, "p_age": 3, "p_name": "ada"},
    ),
    "visit": (
        {"v_pet": 1, "v_day": 5, "v_vet": 1},
        {"v_pet": 1, "v_day": 2, "v_vet": 2},
        {"v_pet": 2, "v_day": 3, "v_vet": None},
        {"v_pet": None, "v_day": 4, "v_vet": 2},
        {"v_pet": 4, "v_day": 5, "v_vet": 2},
    ),
    "vet": ({"d_id": 1, "d_name": "bob"}, {"d_id": 2, "d_name": "eve"}, {"d_id": 3, "d_name": "bob"}),
}
OWNER = {column: table for table, rows in TABLES.items() for column in rows[0]}
NAMES = tuple(column for column in OWNER if column.endswith("name"))
COMPARISONS, CONSTANTS = ("=", "<", "<=", "!="), (1, 2, 3, 5, "ada", "bob")
KEYS = {"pet": "p_id", "visit": "v_day", "vet": "d_id"}


def holds(condition: Condition, row: Row) -> bool:
    """Whether a row meets a condition; nothing compares with None."""
    column, comparison, right = condition
    one, other = row[column], row[right] if right in OWNER else right
    if one is None or other is None:
        return False
    if comparison in ("=", "!="):
        return bool((one == other) == (comparison == "="))
    return bool(one < other or (one == other and comparison == "<="))


def needs(condition: Condition) -> set[str]:
    """Return the tables of a condition."""
    return {OWNER[each] for each in (condition[0], condition[2]) if each in OWNER}


def in_order(rows: list[Row], column: str) -> list[Row]:
    """Return rows by a column; None comes first, or last when descending. Equal rows keep their order."""
    name = column.removeprefix("-")
    return sorted(
        rows, key=lambda row: (row[name] is not None, row[name] or ""), reverse=column.startswith("-")
    )


def answer(query: Query) -> list[tuple[Any, ...]]:
    """Return what a query finds, step by step as it is written."""
    tables, conditions, shown, order, distinct, limit = query
    rows = [
        {name: value for part in parts for name, value in part.items()}
        for parts in product(*(TABLES[table] for table in tables))
    ]
    rows = [row for row in rows if all(holds(each, row) for each in conditions)]
    for column in reversed(order):
        rows = in_order(rows, column)
    found = [tuple(row[column] for column in shown) for row in rows]
    return (list(dict.fromkeys(found)) if distinct else found)[:limit]


class Planner:
    """The planner, which is its own executor."""

    def __init__(self, bug: str = "") -> None:
        self.bug = bug

    def run(self, query: Query) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        tables, conditions, shown, order, distinct, limit = query
        rows: list[Row] = [{}]
        done: set[str] = set()
        left = list(conditions)
        for table in tables:
            done.add(table)
            ready = [each for each in left if needs(each) <= done]
            if self.bug == "filter-runs-once-per-table":
                ready = list({tuple(sorted(needs(each))): each for each in ready}.values())
            left = [each for each in left if needs(each) - done]
            rows = self.join(rows, table, ready)
        if self.bug == "limit-before-order" and len(order) > 1:
            rows = rows[:limit]
        rows = self.sort(rows, order)
        if self.bug == "limit-before-distinct":
            rows = rows[:limit]
        found = [tuple(row[column] for column in shown) for row in rows]
        if distinct:
            found = self.distinct(found, shown)
        if self.bug == "limit-off-by-one" and distinct and len(found) > limit > 1:
            return found[: limit - 1]
        return found[:limit]

    def join(self, rows: list[Row], table: str, ready: list[Condition]) -> list[Row]:
        """Return each row with each row of a table, where the conditions hold."""
        equal = [each for each in ready if self.is_link(each, table)]
        own = [each for each in ready if needs(each) == {table}]
        found = self.scan(table, own)
        if not equal or rows == [{}]:
            pairs = [row | more for row in rows for more in found]
        else:
            pairs = self.hash_join(rows, found, table, equal[0])
        rest = [each for each in ready if each not in own]
        if self.bug == "join-drops-other-links":
            rest = equal[:1]
        return [row for row in pairs if all(self.compare(each, row) for each in rest)]

    def is_link(self, condition: Condition, table: str) -> bool:
        """Whether a condition can find rows of a table by a hash."""
        column, comparison, right = condition
        if self.bug != "hash-join-of-any-comparison" and comparison != "=":
            return False
        return right in OWNER and (OWNER[column] == table) != (OWNER[right] == table)

    def hash_join(self, rows: list[Row], found: list[Row], table: str, link: Condition) -> list[Row]:
        """Return pairs of rows that a link finds by a hash."""
        column, _, right = link
        inner, outer = (column, right) if OWNER[column] == table else (right, column)
        buckets: dict[Any, list[Row]] = {}
        for row in found:
            if self.bug == "hash-join-keeps-last" and row[inner] in buckets:
                buckets[row[inner]].pop()
            buckets.setdefault(row[inner], []).append(row)
        if self.bug == "hash-join-drives-from-inner" and len(rows) > len(found):
            return [row | more for more in found for row in rows if row[outer] == more[inner]]
        pairs = [row | more for row in rows for more in buckets.get(row[outer], ())]
        if self.bug != "hash-join-matches-unknown":
            pairs = [row for row in pairs if row[inner] is not None]
        return pairs

    def compare(self, condition: Condition, row: Row) -> bool:
        """Whether a row meets a condition."""
        column, comparison, right = condition
        if self.bug == "hash-join-matches-unknown" and right in OWNER and row[column] is row[right] is None:
            return True
        if self.bug == "unknown-differs" and comparison == "!=" and right in OWNER:
            return bool(row[column] != row[right])
        return holds(condition, row)

    def scan(self, table: str, conditions: list[Condition]) -> list[Row]:
        """Return the rows of a table that meet its own conditions, by a range of its index."""
        key = KEYS[table]
        low: Any = None
        high: Any = None
        strict = False
        for column, comparison, right in conditions:
            if column != key or right in OWNER:
                continue
            if comparison == "=":
                low = high = right
                strict = self.bug == "index-keeps-strictness" and strict
            elif comparison in ("<", "<="):
                if high is None or right < high or self.bug == "index-takes-last-bound":
                    high, strict = right, comparison == "<"
                elif self.bug == "index-forgets-strict" and right == high:
                    strict = False
        rows = [row for row in TABLES[table] if self.within(row[key], low, high, strict=strict)]
        if self.bug == "index-order-replaces-table-order" and high is not None:
            rows.sort(key=lambda row: row[key])
        skipped = {key} if self.bug in ("index-takes-last-bound", "index-forgets-strict") else set()
        if self.bug == "index-covers-inequality" and high is not None:
            skipped = {key}
        checked = [each for each in conditions if each[0] not in skipped or each[2] in OWNER]
        return [row for row in rows if all(holds(each, row) for each in checked)]

    def within(self, value: Any, low: Any, high: Any, *, strict: bool) -> bool:
        """Whether a value is in a range."""
        if low is not None and value < low:
            return False
        return high is None or value < high or (value == high and not strict)

    def sort(self, rows: list[Row], order: tuple[str, ...]) -> list[Row]:
        """Return rows in order."""
        for column in order if self.bug == "order-by-last-first" else reversed(order):
            if self.bug == "descending-reverses-ties" and column.startswith("-"):
                rows = in_order(rows, column[1:])[::-1]
            elif self.bug == "unknown-sorts-last" and column.endswith("age"):
                rows = sorted(rows, key=lambda row: (row["p_age"] is None, row["p_age"] or 0))
            else:
                rows = in_order(rows, column)
        return rows

    def distinct(self, found: list[tuple[Any, ...]], shown: tuple[str, ...]) -> list[tuple[Any, ...]]:
        """Return each answer once."""
        if self.bug == "distinct-neighbours-only":
            return [each for number, each in enumerate(found) if not number or each != found[number - 1]]
        if self.bug == "distinct-by-first-column":
            return list({each[0]: each for each in reversed(found)}.values())[::-1]
        if self.bug == "distinct-skipped-with-key" and set(KEYS.values()) & set(shown):
            return found
        return list(dict.fromkeys(found))


def run_finds(planner: Planner, query: Query) -> bool:
    """The plan finds the same rows."""
    plain = (*query[:3], (), False, 1_000)
    return sorted(map(repr, planner.run(plain))) == sorted(map(repr, answer(plain)))


def run_answers(planner: Planner, query: Query) -> bool:
    """The plan gives the same answer in the same order."""
    return planner.run(query) == answer(query)


def valid(query: Query) -> bool:
    """Whether tables, columns and types agree."""
    tables, conditions, shown, order, _, _ = query
    if len(set(tables)) < len(tables) or not tables or not shown or len(set(shown)) < len(shown):
        return False
    columns = [*shown, *(each.removeprefix("-") for each in order), *(each[0] for each in conditions)]
    columns += [each[2] for each in conditions if each[2] in OWNER]
    if any(OWNER[column] not in tables for column in columns):
        return False
    if len({each.removeprefix("-") for each in order}) < len(order):
        return False
    linked = all(
        any(len(needs(each)) > 1 and table in needs(each) for each in conditions) for table in tables
    )
    return (linked or len(tables) == 1) and all(map(is_typed, conditions))


def is_typed(condition: Condition) -> bool:
    """Whether a condition compares two names or two numbers."""
    column, _, right = condition
    name = right in NAMES if right in OWNER else isinstance(right, str)
    return column != right and (column in NAMES) == name


def generator(choose: Choose) -> Query:
    """Make any query."""
    columns = tuple(OWNER)
    tables = tuple(choose(tuple(TABLES)) for _ in range(choose(range(1, 4))))
    conditions = tuple(
        (choose(columns), choose(COMPARISONS), choose(columns if choose([False, True]) else CONSTANTS))
        for _ in range(choose(range(4)))
    )
    shown = tuple(choose(columns) for _ in range(choose(range(1, 4))))
    order = tuple(choose(("", "-")) + choose(columns) for _ in range(choose(range(3))))
    return tables, conditions, shown, order, choose([False, True]), choose(range(1, 8))


def handwritten(random: Random) -> Query:
    """Write a query of tables that are linked."""
    links = {"pet": ("v_pet", "p_id"), "vet": ("v_vet", "d_id")}
    while True:
        tables = random.sample(list(TABLES), random.randint(1, 3))
        columns = [column for column, table in OWNER.items() if table in tables]
        conditions: list[Any] = []
        if len(tables) > 1 and "visit" in tables:
            for table in tables:
                if table in links:
                    column, key = links[table]
                    comparison = random.choice(("=", "=", "=", "<=", "!="))
                    conditions.append((column, comparison, key))
            if "pet" in tables and random.random() < 0.3:
                conditions[-1] = ("v_vet", "=", "p_age")
        elif len(tables) > 1:
            conditions.append(("p_name", random.choice(("=", "!=")), "d_name"))
        for _ in range(random.randrange(3)):
            column = random.choice(columns)
            right = random.choice(CONSTANTS[4:] if column in NAMES else CONSTANTS[:4])
            conditions.append((column, random.choice(COMPARISONS), right))
        random.shuffle(conditions)
        shown = tuple(random.sample(columns, random.randint(1, min(3, len(columns)))))
        sorts = random.sample(columns, random.randrange(3))
        order = tuple(random.choice(("", "-")) + column for column in sorts)
        query = (tuple(tables), tuple(conditions), shown, order, random.random() < 0.5, random.randint(1, 7))
        if valid(query):
            return query


COLUMNS = st.sampled_from(tuple(OWNER))
CONDITIONS = st.tuples(COLUMNS, st.sampled_from(COMPARISONS), COLUMNS | st.sampled_from(CONSTANTS))

WORKLOAD = Workload(
    "sql-planner",
    Planner,
    generator,
    st.tuples(
        st.lists(st.sampled_from(tuple(TABLES)), min_size=1, max_size=3).map(tuple),
        st.lists(CONDITIONS, max_size=3).map(tuple),
        st.lists(COLUMNS, min_size=1, max_size=3).map(tuple),
        st.lists(st.tuples(st.sampled_from(("", "-")), COLUMNS).map("".join), max_size=2).map(tuple),
        st.booleans(),
        st.integers(1, 7),
    ),
    valid,
    {
        "filter-runs-once-per-table": (run_finds, run_answers),
        "limit-before-order": (run_answers,),
        "limit-before-distinct": (run_answers,),
        "limit-off-by-one": (run_answers,),
        "join-drops-other-links": (run_finds, run_answers),
        "hash-join-of-any-comparison": (run_finds, run_answers),
        "hash-join-keeps-last": (run_finds, run_answers),
        "hash-join-drives-from-inner": (run_answers,),
        "hash-join-matches-unknown": (run_finds, run_answers),
        "unknown-differs": (run_finds, run_answers),
        "index-keeps-strictness": (run_finds, run_answers),
        "index-takes-last-bound": (run_finds, run_answers),
        "index-forgets-strict": (run_finds, run_answers),
        "index-order-replaces-table-order": (run_answers,),
        "index-covers-inequality": (run_finds, run_answers),
        "order-by-last-first": (run_answers,),
        "descending-reverses-ties": (run_answers,),
        "unknown-sorts-last": (run_answers,),
        "distinct-neighbours-only": (run_answers,),
        "distinct-by-first-column": (run_answers,),
        "distinct-skipped-with-key": (run_answers,),
    },
    handwritten,
)
