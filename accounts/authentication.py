"""Who sends a token, and how much of what they may do it allows."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed

from accounts.actions import note_token_use
from accounts.models import ApiToken, Person


class TokenAuthentication(KnoxAuthentication):
    def authenticate_credentials(self, token: bytes) -> tuple[Person, ApiToken]:
        if not token.isascii():
            raise AuthenticationFailed(_("This is not a token."))
        return super().authenticate_credentials(token)

    def validate_user(self, auth_token: Any) -> tuple[Person, ApiToken]:
        person, token = super().validate_user(auth_token)
        # The roles of this person are limited by this scope (`held_by` in campaigns/models/people.py).
        person.scope = token.scope
        note_token_use(token=token, at=timezone.now())
        return person, token
