"""The tables of the store: the annotations of a record are its columns, in SQL and in JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from rlcheck.failure import Failure
from rlcheck.report.blocks import pack, unpack
from rlcheck.report.record import Snapshot


class Run(NamedTuple):
    """A stored run."""

    id: int
    target: str
    settings: dict[str, Any]
    versions: dict[str, Any]
    started: float
    #: The run that it was compared with, if any.
    raced: int | None
    #: Why it ended; None while it is running, or when its process was killed.
    stopped: str | None
    #: What a survey found; empty for a run that did not end.
    details: dict[str, Any]


class ListedRun(NamedTuple):
    """What a list shows of a stored run: without its details, which may be large."""

    id: int
    target: str
    settings: dict[str, Any]
    started: float
    raced: int | None
    stopped: str | None


class StoredFailure(Failure):
    """A failure of a target: the first input that failed at its place, shrunk."""

    id: int
    target: str
    first_run: int
    last_run: int
    #: When it passed again; None while it fails.
    fixed: float | None

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values["place"], values["message"], values["choices"])
        for name, value in values.items():
            setattr(self, name, value)

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        values = {column.name: getattr(self, column.name) for column in FAILURE.columns}
        return {**values, "id": f"f{self.id}" if self.id else None, "fixed": self.fixed is not None}


class Column(NamedTuple):
    """A column: its type in SQL, and how its values are written and read."""

    name: str
    kind: str
    is_nullable: bool
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    #: What rows of an older database have; None when the column is in the first version.
    default: Any = None

    @property
    def definition(self) -> str:
        """The column in CREATE TABLE and ALTER TABLE."""
        if self.name == "id":
            return "id INTEGER PRIMARY KEY"
        default = "" if self.default is None else f" DEFAULT {self.encode(self.default)!r}"
        return f"{self.name} {self.kind}{'' if self.is_nullable else ' NOT NULL'}{default}"

    @property
    def missing(self) -> str:
        """What is selected in its place from an older database."""
        if self.default is None and not self.is_nullable:
            raise ValueError(f"it has no column {self.name!r}")
        return f"{'NULL' if self.default is None else repr(self.encode(self.default))} AS {self.name}"


class Table:
    """A table with the columns of a record.

    Args:
        name: Its name.
        record: A class whose annotations are the columns; a default value is that of older rows.
        more: Further columns, by name and type, which are not part of the record.
        unique: The columns that no two rows share.
        index: A column to search by.
    """

    def __init__(
        self,
        name: str,
        record: type | None = None,
        *,
        more: Mapping[str, Any] | None = None,
        unique: Sequence[str] = (),
        index: str = "",
    ) -> None:
        hints = {} if record is None else get_type_hints(record)
        self.name = name
        #: The columns of the record.
        self.columns = [_column(field, hint, _default(record, field)) for field, hint in hints.items()]
        self.more = [_column(field, hint, None) for field, hint in (more or {}).items()]
        self._unique = unique
        self._index = index

    def create(self) -> str:
        """The statements that create the table, if it is not there."""
        parts = [column.definition for column in self.all]
        if self._unique:
            parts.append(f"UNIQUE ({', '.join(self._unique)})")
        made = f"CREATE TABLE IF NOT EXISTS {self.name} ({', '.join(parts)});"
        if self._index:
            made += (
                f" CREATE INDEX IF NOT EXISTS {self.name}_of_{self._index} ON {self.name} ({self._index});"
            )
        return made

    @property
    def all(self) -> list[Column]:
        """All columns."""
        return [*self.columns, *self.more]

    def insert(self, names: Iterable[str]) -> str:
        """A statement that inserts a row of named values."""
        names = list(names)
        values = ", ".join(f":{name}" for name in names)
        return f"INSERT INTO {self.name} ({', '.join(names)}) VALUES ({values})"

    def select(self, present: Iterable[str], rest: str) -> str:
        """A statement that selects the record; columns that an older database lacks have their default."""
        present = set(present)
        parts = [column.name if column.name in present else column.missing for column in self.columns]
        return f"SELECT {', '.join(parts)} FROM {self.name} {rest}"

    def encode(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values as they are written."""
        encoders = {column.name: column.encode for column in self.all}
        return {name: encoders[name](value) for name, value in values.items()}

    def decode(self, row: Sequence[Any]) -> dict[str, Any]:
        """The values of a row that `select` gave."""
        return {column.name: column.decode(value) for column, value in zip(self.columns, row, strict=True)}


def _column(name: str, hint: Any, default: Any) -> Column:
    options = get_args(hint) if get_origin(hint) is UnionType else (hint,)
    (kind,) = (option for option in options if option is not NoneType)
    kind = get_origin(kind) or kind
    sql, encode, decode = _KINDS[kind]
    nullable = NoneType in options

    def decode_one(value: Any) -> Any:
        if value is None and nullable:
            return None
        return decode(value)

    return Column(name, sql, nullable, encode if not nullable else _or_none(encode), decode_one, default)


def _or_none(encode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else encode(value)


def _unpacked(kind: type) -> Callable[[Any], Any]:
    """Reads packed data; the first version of the store left some of it out."""
    checked = _checked(kind)
    return lambda block: kind() if block is None else checked(unpack(_checked(bytes)(block)))


def _checked(kind: type) -> Callable[[Any], Any]:
    """Returns what is of a type, and refuses the rest: SQLite keeps anything in any column."""

    def check(value: Any) -> Any:
        if not isinstance(value, kind) or (isinstance(value, float) and not isfinite(value)):
            raise ValueError(f"a column holds {value!r:.40} in place of a value of the type {kind.__name__}")
        return value

    return check


def _number(value: Any) -> float:
    return float(_checked(float if isinstance(value, float) else int)(value))


#: By the type of a value: the type in SQL, and how it is written and read.
_KINDS: dict[type, tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = {
    bool: ("INTEGER", int, lambda value: bool(_checked(int)(value))),
    int: ("INTEGER", int, _checked(int)),
    float: ("REAL", float, _number),
    str: ("TEXT", str, _checked(str)),
    bytes: ("BLOB", bytes, _checked(bytes)),
    list: ("BLOB", pack, _unpacked(list)),
    dict: ("BLOB", pack, _unpacked(dict)),
}


def _default(record: type | None, field: str) -> Any:
    """The value that a record gives to a field by default, if it does."""
    if record is None:
        return None
    if issubclass(record, tuple):
        return getattr(record, "_field_defaults", {}).get(field)
    return vars(record).get(field)


RUN = Table("run", Run, more={"policy": bytes | None})
LISTED = Table("run", ListedRun)
PROGRESS = Table("progress", Snapshot, more={"run": int}, index="run")
FAILURE = Table("failure", StoredFailure, unique=("target", "place"))
CORPUS = Table("corpus", more={"run": int, "inputs": int, "block": bytes}, index="run")

TABLES = (RUN, PROGRESS, FAILURE, CORPUS)
