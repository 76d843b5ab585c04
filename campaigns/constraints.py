"""The rules of settings and dates as constraints, so that the database refuses what the reader of files would."""

from django.db import models

from campaigns.calendar_order import pairs_in_order
from campaigns.campaign_settings import SETTINGS


def declared_constraints() -> list[models.CheckConstraint]:
    """The limits and choices of the settings, so that the database refuses what the reader of files would."""
    made = []
    for name, setting in SETTINGS.items():
        if setting.limits:
            condition = models.Q(**{f"{name}__range": setting.limits})
            made.append(models.CheckConstraint(condition=condition, name=f"{name}_within_limits"))
        # Which presets there are is the release's matter, not the database's.
        if setting.stored_choices and name != "preset":
            condition = models.Q(**{f"{name}__in": setting.stored_choices})
            made.append(models.CheckConstraint(condition=condition, name=f"campaign_{name}_is_known"))
    return made


def dates_in_order() -> models.Q:
    """A date that is not said is before and after all others: to a constraint, what is NULL is not wrong."""
    condition = models.Q()
    for pair in pairs_in_order():
        comes = "gt" if pair.is_strict else "gte"
        condition &= models.Q(**{f"{pair.later}__{comes}": models.F(pair.earlier)})
    return condition
