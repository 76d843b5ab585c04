"""manage.py ask_model SLUG MODEL TEXT: asks a declared model one thing, counted as every call is; --dry-run shows the request and its cost."""

from argparse import ArgumentParser
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from language_models.asking import Message, ModelAnswer, ModelRefusal, Prompt, ask_model
from language_models.dry_run import as_text, dry_run
from language_models.models import ModelEndpoint, Purpose
from language_models.prompts import money
from participants.outbound import Door


class Command(BaseCommand):
    help = "Asks a declared language model one thing; counted in its budget."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("model", metavar="MODEL", help="the name under which the campaign declares it")
        parser.add_argument("text")
        parser.add_argument(
            "--dry-run", action="store_true", help="print the request and what it can cost; ask nothing"
        )

    @no_translations
    def handle(self, *, campaign: str, model: str, text: str, **options: Any) -> None:
        found = ModelEndpoint.objects.in_use().filter(campaign__slug=campaign, key=model)
        endpoint = found.select_related("campaign").first()
        if endpoint is None:
            raise CommandError(f"{campaign} declares no model {model}.")
        prompt = Prompt((Message("user", text),))
        if options["dry_run"]:
            self.stdout.write(as_text(dry_run(endpoint, [prompt], currency=endpoint.currency)))
            return
        try:
            answer = async_to_sync(asked)(endpoint, prompt)
        except ModelRefusal as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(answer.text)
        source = "from the cache" if answer.is_from_cache else f"{money(answer.cost)} {endpoint.currency}"
        self.stderr.write(f"{answer.tokens_in} + {answer.tokens_out} tokens, {source}")


async def asked(endpoint: ModelEndpoint, prompt: Prompt) -> ModelAnswer:
    door = Door(settings.OUTBOUND_ALLOW)
    try:
        return await ask_model(endpoint, prompt, purpose=Purpose.CHECK, door=door, at=timezone.now)
    finally:
        await door.close()
