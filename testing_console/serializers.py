"""What the REST API takes, strictly: ASCII whole numbers, known names."""

from typing import Any

from rest_framework import serializers

from scoring.kinds import LIST, Kind, Text, Whole, Wrong


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


class Places(Kind):
    """Places in a list, counted from 0."""

    def value_of(self, value: Any) -> list[int]:
        place = Whole(0, 2**15)
        return [place.value_of(one) for one in LIST.value_of(value)]


class AssignedSerializer(serializers.Serializer[Any]):
    assignment = KindField(Whole(1, 2**31 - 1))


class ChosenSerializer(serializers.Serializer[Any]):
    campaign = KindField(Text(60))
    bot = KindField(Text(200))
    scenario = KindField(Text(60))


class TicksSerializer(serializers.Serializer[Any]):
    ticked = KindField(Places())
