from django.apps import AppConfig


class LanguageModelsConfig(AppConfig):
    name = "language_models"

    def ready(self) -> None:
        # Campaign files have a table of models, which the room of campaigns cannot store itself.
        from campaigns.campaign_file.file_parts import add_part
        from language_models.actions.loading import MODELS_IN_FILES

        add_part(MODELS_IN_FILES)
