from django.apps import AppConfig


class TestingConsoleConfig(AppConfig):
    name = "testing_console"
