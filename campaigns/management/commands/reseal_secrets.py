"""manage.py reseal_secrets: seals the secrets of bots and services with the present key (docs/configuration.md)."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from campaigns.actions.credentials import reseal_secrets


class Command(BaseCommand):
    help = "Seals the secrets of bots and services with the present key, so that the old one can be taken out of the settings."

    def handle(self, **options: Any) -> None:
        n_sealed, lost = reseal_secrets(by=None, at=timezone.now())
        self.stdout.write(f"{n_sealed} secrets sealed.")
        for owner in lost:
            self.stderr.write(f"No key unseals the secret of {owner}; name it again.")
