from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.log_in.recording import follow_log_ins

        follow_log_ins()
