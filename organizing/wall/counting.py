"""Rows that wait become a number and a time."""

from typing import Any

from django.db.models import Count, DateTimeField, Min, QuerySet

from organizing.wall.waiting import Waiting


def first_of(rows: QuerySet[Any], at: str) -> Waiting:
    """How many rows there are, and the time of the first."""
    found = rows.order_by().aggregate(n=Count("pk"), first=Min(at, output_field=DateTimeField()))
    return Waiting(found["n"], found["first"])
