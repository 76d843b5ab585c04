"""JSON whose tables keep the order of their keys, on every database."""

import json
from typing import Any

from django.db import models


class OrderedJSONField(models.JSONField):
    """Stored as text: PostgreSQL's `jsonb` sorts the keys. Nothing inside it can be asked for in a query."""

    def db_type(self, connection: Any) -> str:
        return "text"

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        return value if value is None or hasattr(value, "resolve_expression") else json.dumps(value)
