"""What a bot wants to have back with its next turn."""

from django.db import models


class BotState(models.Model):
    """What the bot gave with the reply of one turn: JSON that nobody else reads.

    It may name its maker or hold hidden data: no tester and no reviewer sees it.
    """

    turn = models.OneToOneField("dialogues.Turn", on_delete=models.CASCADE, related_name="bot_state")
    # As text: a database's own JSON would change the order of its keys, and refuse escaped NULs.
    written = models.TextField()

    def __str__(self) -> str:
        return f"state after {self.turn_id}"
