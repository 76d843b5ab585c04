from django.apps import AppConfig


class OperatingConfig(AppConfig):
    name = "operating"

    def ready(self) -> None:
        from operating import deploy_checks  # noqa: F401  registers them
