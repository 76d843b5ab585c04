"""Who has an account, how they like to read, the links by which they set a password, and what was tried to get in."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_totp.models import TOTPDevice
from knox.models import AbstractAuthToken

from accounts.scopes import WHOLE, Scope
from accounts.trail_acts import SUPERUSER_MADE
from audit.actions import record


class PersonManager(UserManager["Person"]):
    use_in_migrations = False

    def create_superuser(self, *args: Any, **fields: Any) -> "Person":
        """Called by `manage.py createsuperuser`; leaves a line in the trail."""
        with transaction.atomic():
            person = super().create_superuser(*args, **fields)
            record(SUPERUSER_MADE, by=None, about=person.username)
        return person


# The manager of tokens comes from knox, which has no types.
class Person(AbstractUser):  # type: ignore[django-manager-missing]
    """A person with an account; what they may do is a role per campaign, never a flag here."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("Device setting")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class CameBy(models.TextChoices):
        """Who chose its user name; an organizer answers for it that the account belongs to whom the name says."""

        ORGANIZER = "organizer"
        INVITATION = "invitation"
        # Its owner, as with an invitation, and nobody has let them in.
        APPLICATION = "application"
        # The platform, by an entry link of a study (`crowds`): it has no password and opens nothing but its work.
        CROWD = "crowd"

    class Kind(models.TextChoices):
        """Who acts under the account. What a program thinks counts nowhere where people's opinions do."""

        PERSON = "person", _("person")
        PROGRAM = "program", _("program")

    language = models.CharField(max_length=10, blank=True, choices=settings.LANGUAGES)
    theme = models.CharField(max_length=5, choices=Theme.choices, default=Theme.AUTO)
    display_name = models.CharField(max_length=150, blank=True)
    # Since when the account is nobody's (privacy/actions/erasing.py).
    erased_at = models.DateTimeField(null=True, blank=True)
    came_by = models.CharField(max_length=11, choices=CameBy.choices, default=CameBy.ORGANIZER)
    kind = models.CharField(max_length=7, choices=Kind.choices, default=Kind.PERSON, db_default=Kind.PERSON)

    objects: ClassVar[PersonManager] = PersonManager()

    # What the credential of this request allows; no column: a person read from the database has all of it.
    scope: Scope = WHOLE

    @cached_property
    def has_second_factor(self) -> bool:
        return TOTPDevice.objects.filter(user=self, confirmed=True).exists()

    def must_set_up_second_factor(self) -> bool:
        """Whether the site wants one of its organizers, and this person has none."""
        return settings.SECOND_FACTOR_OF == "organizers" and not self.has_second_factor

    def __str__(self) -> str:
        return self.username

    @property
    def is_program(self) -> bool:
        return self.kind == self.Kind.PROGRAM

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username

    def valid_tokens(self, at: datetime) -> "models.QuerySet[ApiToken]":
        return ApiToken.objects.filter(models.Q(expiry=None) | models.Q(expiry__gt=at), user=self)


class LogIn(models.Model):
    """Where somebody is logged in; it ends with its session."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="log_ins")
    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="log_in")
    agent = models.CharField(max_length=300)
    address = models.CharField(max_length=45)
    since = models.DateTimeField()
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.person} since {self.since}"


class LogInTry(models.Model):
    """A guess at an account, for as long as it counts (accounts/log_in/guesses.py); who got in leaves none."""

    # Digest of the name that was typed: it may be no account's, or a password in the wrong field.
    name = models.CharField(max_length=32)
    network = models.CharField(max_length=45)
    # The mark of a browser that got into this account before.
    device = models.CharField(max_length=32, blank=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["name", "at"], name="tries_by_name"),
            models.Index(fields=["network", "at"], name="tries_by_network"),
        ]

    def __str__(self) -> str:
        return f"{self.name} from {self.network} at {self.at}"


class LiftedNetworkLimit(models.Model):
    """Until when guesses at an account are checked even from networks that have used up their budgets."""

    # The digest under which guesses at the account, or at its code, are counted.
    name = models.CharField(max_length=32, primary_key=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} until {self.until}"


class OneTimeLinkQuerySet(models.QuerySet["OneTimeLink"]):
    def usable(self, at: datetime) -> "OneTimeLinkQuerySet":
        return self.filter(used_at=None, ended_at=None, expires_at__gt=at, person__is_active=True)


class OneTimeLink(models.Model):
    """A link whose holder may do one thing once, for one person. Only the hash of its token is stored.

    `ended_at`: another link of the person was used first, or its maker lost the right. `made_by` is NULL where the
    person asked for it by mail, or a command made it. `reach` is what the person could do when it was made (NULL: not
    known): a link that was made for less opens nothing more.
    """

    class Purpose(models.TextChoices):
        PASSWORD = "password"

    digest = models.CharField(max_length=64, unique=True)
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.PASSWORD)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="one_time_links")
    made_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, blank=True, related_name="links_made")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    reach = models.JSONField(null=True, blank=True)

    objects = OneTimeLinkQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(used_at__isnull=True) | models.Q(ended_at__isnull=True),
                name="used_links_do_not_end",
            ),
            models.CheckConstraint(condition=models.Q(purpose__in=["password"]), name="purpose_of_link_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} link of {self.person}"


class ApiToken(AbstractAuthToken):
    """What a program sends in place of a login. What it may do never changes: another token is made for that."""

    name = models.CharField(max_length=60, blank=True)
    # Where these are empty, the token may do whatever its person may do; a campaign is named by its slug.
    role = models.CharField(max_length=12, blank=True)
    campaign = models.CharField(max_length=60, blank=True)
    # To the hour.
    used_at = models.DateTimeField(null=True)
    # Whether a program got it by name and password.
    is_of_log_in = models.BooleanField(default=False)

    @property
    def scope(self) -> Scope:
        return Scope(self.role, self.campaign)

    def __str__(self) -> str:
        return f"{self.name or self.token_key} of {self.user}"
