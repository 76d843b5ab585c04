"""Stores what a service answered, batch by batch, so that nothing is asked twice after a kill."""

from django.db import transaction
from django.db.models import F

from automatic_tasks.models import Batch, Run


@transaction.atomic
def begin_batches(run: Run, n_sentences: int) -> set[int]:
    """The numbers of the batches that are stored already; the run's progress is set to them."""
    done = set(run.batches.values_list("number", flat=True))
    n_done = min(n_sentences, len(done) * run.plan.batch_size)
    Run.objects.filter(pk=run.pk).update(n_total=n_sentences, n_done=n_done)
    return done


@transaction.atomic
def store_batch(batch: Batch, n_sentences: int) -> None:
    batch.save()
    Run.objects.filter(pk=batch.run_id).update(n_done=F("n_done") + n_sentences)
