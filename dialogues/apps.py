from django.apps import AppConfig


class DialoguesConfig(AppConfig):
    name = "dialogues"
