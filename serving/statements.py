"""Statements of the hot path, compiled once from the models instead of anew for each turn.

Django spends about 0.6 ms on building each statement and a few microseconds suffice to run it; a turn needs a dozen.
The SQL is made from the same models, values go through the same fields, rows come back as the same instances, so a
changed model changes these too. docs/decisions/0003-hot-path.md has the figures.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model

M = TypeVar("M", bound=Model)

Converter = Callable[[Any], Any]


class _Statement(Generic[M]):
    """SQL made from a model on first use; values are prepared by the model's own fields."""

    def __init__(self, model: type[M]) -> None:
        self._model = model

    @cached_property
    def _table(self) -> str:
        return _quoted(self._model._meta.db_table)

    def _fields_named(self, names: Sequence[str]) -> "list[Field[Any, Any]]":
        return [self._model._meta.get_field(name) for name in names]  # type: ignore[misc]


class Insert(_Statement[M]):
    """`insert(field=value, …)` stores a new row and gives its key; fields that are not named take their default.

    Fields go by the name of their column's attribute (`dialogue_id`). Errors: `TypeError` for a name that is none.
    """

    @cached_property
    def _fields(self) -> "list[Field[Any, Any]]":
        own_key = self._model._meta.auto_field
        return [field for field in self._model._meta.concrete_fields if field is not own_key]

    @cached_property
    def _sql(self) -> str:
        columns = ", ".join(_quoted(field.column) for field in self._fields)
        places = ", ".join(["%s"] * len(self._fields))
        key = _quoted(self._model._meta.pk.column)
        return f"INSERT INTO {self._table} ({columns}) VALUES ({places}) RETURNING {key}"

    @cached_property
    def _attributes(self) -> frozenset[str]:
        return frozenset(field.attname for field in self._fields)

    def __call__(self, **given: Any) -> Any:
        _refuse_unknown(given, self._attributes, self._model)
        db = connections[DEFAULT_DB_ALIAS]
        values = [
            field.get_db_prep_save(given[field.attname] if field.attname in given else field.get_default(), db)
            for field in self._fields
        ]
        return _executed(db, self._sql, values).fetchone()[0]

    def row(self, row: M) -> None:
        """Stores a new instance and sets its key."""
        row.pk = self(**{field.attname: getattr(row, field.attname) for field in self._fields})
        row._state.adding = False


class Update(_Statement[M]):
    """`update(row)` writes the named fields of a stored row; True if it is there and still fits `only_if`.

    `only_if` names fields with the values that the stored row must still have, taken from keyword arguments.
    Errors: `TypeError` for a keyword argument that `only_if` does not name, or lacks.
    """

    def __init__(self, model: type[M], *names: str, only_if: Sequence[str] = ()) -> None:
        super().__init__(model)
        self._names, self._only_if = names, only_if
        self._expected = frozenset(only_if)

    @cached_property
    def _fields(self) -> "list[Field[Any, Any]]":
        return self._fields_named(self._names)

    @cached_property
    def _sql(self) -> str:
        columns = ", ".join(f"{_quoted(field.column)} = %s" for field in self._fields)
        conditions = [self._model._meta.pk, *self._fields_named(self._only_if)]
        where = " AND ".join(f"{_quoted(field.column)} = %s" for field in conditions)
        return f"UPDATE {self._table} SET {columns} WHERE {where}"

    def __call__(self, row: M, **expected: Any) -> bool:
        _refuse_unknown(expected, self._expected, self._model)
        if len(expected) < len(self._expected):
            raise TypeError(f"{', '.join(sorted(self._expected - expected.keys()))} must be given.")
        db = connections[DEFAULT_DB_ALIAS]
        values = [field.get_db_prep_save(getattr(row, field.attname), db) for field in self._fields]
        values.append(self._model._meta.pk.get_db_prep_value(row.pk, db))
        values += [field.get_db_prep_value(expected[field.name], db) for field in self._fields_named(self._only_if)]
        return bool(_executed(db, self._sql, values).rowcount == 1)


class Select(_Statement[M]):
    """`select(…)` gives the rows that fit a condition; `{name}` in it stands for a column, `%s` for a value.

    `by` names the fields that prepare the values; `only`, where given, the fields that are read.
    """

    def __init__(self, model: type[M], condition: str, *by: str, only: Sequence[str] = (), locks: bool = False) -> None:
        super().__init__(model)
        self._condition, self._by, self._only, self._locks = condition, by, only, locks

    @cached_property
    def _fields(self) -> "list[Field[Any, Any]]":
        return self._fields_named(self._only) if self._only else list(self._model._meta.concrete_fields)

    @cached_property
    def _names(self) -> list[str]:
        return [field.attname for field in self._fields]

    @cached_property
    def _converters(self) -> list[tuple[int, Converter]]:
        found = enumerate(_converter(field) for field in self._fields)
        return [(place, converter) for place, converter in found if converter is not None]

    @cached_property
    def _value_fields(self) -> "list[Field[Any, Any]]":
        return self._fields_named(self._by)

    @cached_property
    def _sql(self) -> str:
        columns = ", ".join(_quoted(field.column) for field in self._fields)
        places = {field.name: _quoted(field.column) for field in self._model._meta.concrete_fields}
        lock = " FOR UPDATE" if self._locks and connection.features.has_select_for_update else ""
        return f"SELECT {columns} FROM {self._table} WHERE {self._condition.format(**places)}{lock}"

    def tuples(self, *values: Any) -> list[list[Any]]:
        """The rows as lists of the selected fields' values."""
        db = connections[DEFAULT_DB_ALIAS]
        prepared = [field.get_db_prep_value(value, db) for field, value in zip(self._value_fields, values, strict=True)]
        rows = [list(row) for row in _executed(db, self._sql, prepared).fetchall()]
        for row in rows:
            for place, converter in self._converters:
                row[place] = converter(row[place])
        return rows

    def __call__(self, *values: Any) -> list[M]:
        return [self._model.from_db(DEFAULT_DB_ALIAS, self._names, row) for row in self.tuples(*values)]


def _executed(db: BaseDatabaseWrapper, sql: str, values: Sequence[Any]) -> Any:
    """A cursor after the statement. SQLite's own is used directly: Django's wrappers cost as much as the statement.

    Errors are Django's, as ever. Whoever counts, logs or wraps statements sees these too: then they go Django's way.
    """
    is_watched = db.queries_logged or db.execute_wrappers
    if db.vendor != "sqlite" or not db.in_atomic_block or is_watched or db.needs_rollback:
        cursor = db.cursor()
        cursor.execute(sql, values)
        return cursor
    with db.wrap_database_errors:
        return db.connection.execute(_with_question_marks(sql), values)


def _refuse_unknown(given: dict[str, Any], known: frozenset[str], model: type[Model]) -> None:
    if not given.keys() <= known:
        unknown = ", ".join(sorted(given.keys() - known))
        raise TypeError(f"{model.__name__} takes no {unknown} here, only {', '.join(sorted(known)) or 'nothing'}.")


@lru_cache(maxsize=200)
def _with_question_marks(sql: str) -> str:
    """SQLite's way to mark a value. The statements here hold no other percent sign."""
    return sql.replace("%s", "?")


def _quoted(name: str | None) -> str:
    assert name is not None
    return connection.ops.quote_name(name)


def _converter(field: "Field[Any, Any]") -> Converter | None:
    """What turns the database's value into Python's, or None where they are the same."""
    column, db = field.cached_col, connections[DEFAULT_DB_ALIAS]
    steps = [*db.ops.get_db_converters(column), *field.get_db_converters(db)]
    if not steps:
        return None
    if len(steps) == 1:
        (step,) = steps
        return lambda value: step(value, column, db)

    def convert(value: Any) -> Any:
        for step in steps:
            value = step(value, column, db)
        return value

    return convert
