from django.apps import AppConfig


class CrowdsConfig(AppConfig):
    name = "crowds"
