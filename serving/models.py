from django.db import models


class ProcessBeat(models.Model):
    """The beat of a server process, on whichever machine: it goes on while the process lives."""

    name = models.CharField(max_length=60, unique=True)
    # The machine: two of them share neither files nor process numbers.
    place = models.CharField(max_length=40)
    version = models.CharField(max_length=60)
    has_redis = models.BooleanField()
    # Digest of the secret key, which is the same on all machines.
    key_digest = models.CharField(max_length=16)
    n_beats = models.PositiveBigIntegerField(default=0)
    seen_at = models.DateTimeField()
    has_ended = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.name
