from django.apps import AppConfig


class OrganizingConfig(AppConfig):
    name = "organizing"
