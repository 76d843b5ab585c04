"""Where a row of a campaign came from: its file, the browser or the API, or an import."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Origin(models.TextChoices):
    FILE = "file", _("campaign file")
    PAGE = "page", _("browser")
    IMPORT = "import", _("import")


class Originated(models.Model):
    """A row that remembers where it came from: a load of the campaign file changes and removes only what a file brought.

    A row stored without an origin is left alone by files.
    """

    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.PAGE)

    class Meta:
        abstract = True


def origin_is_known(row: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=models.Q(origin__in=Origin.values), name=f"origin_of_{row}_is_known")
