"""JSON as the lines of files hold it: what `json.dumps(value, ensure_ascii=False)` gives. Pure, and free of Django.

`json.dumps` makes an encoder for every call that names an option, and takes more than twice as long. Here one encoder serves all, and the
rows of a block are written column by column: most columns hold values of one type, which one call in C writes.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, cast

_encoder = json.JSONEncoder(ensure_ascii=False)
# `encoder` is not in the description of the types; its function in C is missing in some interpreters.
_parts = cast(Any, json.encoder)
_escape = _parts.encode_basestring
_write: Any = (
    _parts.c_make_encoder(
        None,
        _encoder.default,
        _escape,
        None,
        _encoder.key_separator,
        _encoder.item_separator,
        _encoder.sort_keys,
        _encoder.skipkeys,
        _encoder.allow_nan,
    )
    if _parts.c_make_encoder
    else cast(Any, _encoder).iterencode
)
CONSTANTS = {None: "null", True: "true", False: "false"}


def json_text(value: Any) -> str:
    return "".join(_write(value, 0))


def json_column(values: Sequence[Any]) -> Iterable[str]:
    """Each of the values as JSON."""
    kinds = set(map(type, values))
    if kinds == {str}:
        return map(_escape, values)
    # `True` is equal to 1, so no table may hold both.
    if kinds <= {bool, type(None)}:
        return map(CONSTANTS.__getitem__, values)
    if kinds == {str, type(None)}:
        return ["null" if value is None else _escape(value) for value in values]
    if kinds <= {int, type(None)}:
        return ["null" if value is None else str(value) for value in values]
    return map(json_text, values)


def json_rows(columns: Sequence[str], block: Sequence[Sequence[Any]]) -> str:
    """One line per row of the block, an object with the columns in their order."""
    members = ", ".join(f"{json_text(name).replace('%', '%%')}: %s" for name in columns)
    line = f"{{{members}}}\n"
    return "".join(map(line.__mod__, zip(*map(json_column, block), strict=True)))
