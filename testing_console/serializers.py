"""What the REST API takes, strictly: ASCII whole numbers, known names."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from reading.json_schemas import Schema, schema_of
from reading.kinds import LIST, Kind, Text, Whole, Wrong


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


class Places(Kind):
    """Places in a list, counted from 0."""

    def value_of(self, value: Any) -> list[int]:
        place = Whole(0, 2**15)
        return [place.value_of(one) for one in LIST.value_of(value)]


@schema_of.register
def _places(kind: Places) -> Schema:
    return {"type": "array", "items": schema_of(Whole(0, 2**15))}


class AssignedSerializer(serializers.Serializer[Any]):
    assignment = KindField(Whole(1, 2**31 - 1))


class InsteadSerializer(serializers.Serializer[Any]):
    instead_of = serializers.UUIDField()


class ChosenSerializer(serializers.Serializer[Any]):
    campaign = KindField(Text(60))
    bot = KindField(Text(200))
    scenario = KindField(Text(60))


class TicksSerializer(serializers.Serializer[Any]):
    ticked = KindField(Places())
