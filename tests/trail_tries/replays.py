"""Replays: asked for by organizers and teams, stopped, and drifts that are settled."""

from campaigns.models import Campaign
from participants.models import Bot
from replays.actions.asking import ask_replays
from replays.models import SentinelRound
from tests.reviews.conftest import closed_dialogue
from tests.trail_tries.table import tries

PLACE = "campaigns/<slug:slug>/"


def over(stage):
    return closed_dialogue(stage.campaign, stage.person("tester"))


def waiting(stage):
    dialogue = over(stage)
    found = type(dialogue).objects.filter(pk=dialogue.pk)
    (replay,) = ask_replays(
        campaign=stage.campaign, dialogues=found, against=stage.campaign.entries.get(), by=None, at=stage.now
    )
    return replay


for root, page in (("", "ask/"), ("api/v1/", "")):

    @tries(f"POST {root}{PLACE}replays/{page}", "replays.asked")
    def _(stage):
        over(stage)
        return "", {"against": stage.alias}

    @tries(f"POST {root}{PLACE}team/replays/{page}", "replays.asked", by="participant")
    def _(stage):
        over(stage)
        Campaign.objects.update(is_published=True, was_published=True, releases_transcripts=True)
        assert Bot.objects.filter(team__members__person__username="participant").exists()
        return "", {"against": str(stage.campaign.entries.get().pk)}

    @tries(f"POST {root}{PLACE}replays/<uuid:replay_id>/stop/", "replay.stopped")
    def _(stage, root=root):
        return f"/{root}campaigns/small/replays/{waiting(stage).pk}/stop/", {}

    for act, settled in (("bot.drift_noted", "noted"), ("bot.drift_accepted", "accepted")):

        @tries(f"POST {root}{PLACE}replays/rounds/<int:round_id>/settle/", act)
        def _(stage, root=root, settled=settled):
            found = SentinelRound.objects.create(
                entry=stage.campaign.entries.get(), began_at=stage.now, limit_percent=30, drift=0.5, is_flagged=True
            )
            return f"/{root}campaigns/small/replays/rounds/{found.pk}/settle/", {"settled": settled, "because": "x"}
