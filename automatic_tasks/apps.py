from django.apps import AppConfig


class AutomaticTasksConfig(AppConfig):
    name = "automatic_tasks"
