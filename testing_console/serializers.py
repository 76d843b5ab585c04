"""What the REST API takes, strictly: ASCII whole numbers, known names."""

from typing import Any

from rest_framework import serializers


class WholeNumberField(serializers.Field):
    """DRF's IntegerField takes full-width digits and numbers in texts; this one takes JSON whole numbers only."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int) or not -(2**31) < data < 2**31:
            raise serializers.ValidationError("A whole number is needed.")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class AssignedSerializer(serializers.Serializer[Any]):
    assignment = WholeNumberField()


class ChosenSerializer(serializers.Serializer[Any]):
    campaign = serializers.CharField(max_length=60)
    bot = serializers.CharField(max_length=200)
    scenario = serializers.CharField(max_length=60)
