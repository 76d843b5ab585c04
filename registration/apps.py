from django.apps import AppConfig


class RegistrationConfig(AppConfig):
    name = "registration"
