from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from frame.frame_types import FILE, frame_types


class Command(BaseCommand):
    help = "Writes the types of the sockets' frames, against which the pages' scripts are checked."

    def handle(self, **options: Any) -> None:
        (Path(settings.BASE_DIR) / FILE).write_text(frame_types())
        self.stdout.write(f"{FILE} is written.")
