from django.apps import AppConfig


class LanguageModelsConfig(AppConfig):
    name = "language_models"
