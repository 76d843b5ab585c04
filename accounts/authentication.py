"""Who sends a token, and how much of what they may do it allows."""

from typing import Any

from django.utils import timezone
from knox.auth import TokenAuthentication as KnoxAuthentication

from accounts.actions import note_token_use
from accounts.models import ApiToken, Person


class TokenAuthentication(KnoxAuthentication):
    def validate_user(self, auth_token: Any) -> tuple[Person, ApiToken]:
        person, token = super().validate_user(auth_token)
        # Whoever asks for the roles of this person asks with this scope (campaigns.models, `held_by`).
        person.scope = token.scope
        note_token_use(token=token, at=timezone.now())
        return person, token
