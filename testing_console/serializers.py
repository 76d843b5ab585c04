"""What the REST API takes, strictly: ASCII whole numbers, known names."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from reading.json_schemas import Schema, schema_of
from reading.kinds import Kind, Wrong


class KindField(serializers.Field):
    """A value of one of our kinds. DRF's own fields take full-width digits and numbers in texts."""

    def __init__(self, kind: Kind, **named: Any) -> None:
        super().__init__(**named)
        self.kind = kind

    def to_internal_value(self, data: Any) -> Any:
        try:
            return self.kind.value_of(data)
        except Wrong as wrong:
            raise serializers.ValidationError(wrong.at("").message) from wrong

    def to_representation(self, value: Any) -> Any:
        return value


class KindFieldSchema(OpenApiSerializerFieldExtension):
    """How the description of the API says what such a field takes."""

    target_class = KindField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> Schema:
        return schema_of(self.target.kind)
