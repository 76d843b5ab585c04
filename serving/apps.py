from django.apps import AppConfig


class ServingConfig(AppConfig):
    name = "serving"

    def ready(self) -> None:
        # Registers what is looked at when a command starts.
        from serving import checks as checks
