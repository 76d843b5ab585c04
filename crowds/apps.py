from django.apps import AppConfig


class CrowdsConfig(AppConfig):
    name = "crowds"

    def ready(self) -> None:
        from campaigns.campaign_file.file_parts import FilePart, add_part
        from crowds.actions.declaring import compare_studies, documents_of

        add_part(FilePart("studies", compare_studies, documents_of))
