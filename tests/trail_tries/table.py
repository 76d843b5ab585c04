"""The table of the tries, and the routes that leave no line."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.trail_tries.stage import Stage

# Routes that change something and leave no line, each with the reason.
SILENT = {
    "POST campaigns/<slug:slug>/judges/<int:judge_id>/compare/": "What is computed of stored scores.",
    "POST api/v1/campaigns/<slug:slug>/judges/<int:judge_id>/compare/": "What is computed of stored scores.",
    "PUT login/": "Django's page takes it for a POST.",
    "PUT account/password/": "Django's page takes it for a POST.",
    "POST api/v1/password/forgotten/": "The link is made and noted on the thread that sends mails.",
    "POST password/forgotten/": "The link is made and noted on the thread that sends mails.",
    "POST account/second-factor/begin/": "A secret that counts for nothing before it is confirmed.",
    "POST preferences/": "How one's own pages look.",
    "PATCH api/v1/account/preferences/": "How one's own pages look.",
    "POST api/v1/account/second-factor/": "A secret that counts for nothing before it is confirmed.",
    "POST account/messages/": "What one is told oneself.",
    "PATCH api/v1/account/messages/": "What one is told oneself.",
    "POST account/messages/address/": "A link that is mailed to oneself.",
    "POST api/v1/account/messages/address/": "A link that is mailed to oneself.",
    "POST account/messages/confirm/<str:token>/": "That one's own mails may be sent.",
    "POST api/v1/account/messages/confirm/<str:token>/": "That one's own mails may be sent.",
    "POST campaigns/<slug:slug>/testing/open/": "The ledger is the record of a dialogue.",
    "POST assignments/<int:assignment_id>/open/": "The ledger is the record of a dialogue.",
    "POST dialogues/<uuid:dialogue_id>/another/": "The ledger is the record of a dialogue.",
    "POST api/v1/campaigns/<slug:slug>/team/bots/<int:entry_id>/practice/": "The ledger is the record, and it counts nowhere.",
    "POST campaigns/<slug:slug>/team/bots/<int:entry_id>/practice/": "The ledger is the record of a dialogue, and it counts nowhere.",
    "POST api/v1/dialogues/": "The ledger is the record of a dialogue.",
    "PATCH api/v1/dialogues/<uuid:dialogue_id>/items/": "What a tester ticks for themselves.",
    "POST api/v1/dialogues/<uuid:dialogue_id>/problems/": "A report to the organizers, with its time and its author.",
    "PUT api/v1/dialogues/<uuid:dialogue_id>/flags/<int:number>/": "A mark for the organizers.",
    "DELETE api/v1/dialogues/<uuid:dialogue_id>/flags/<int:number>/": "A mark for the organizers.",
    "PATCH api/v1/dialogues/<uuid:dialogue_id>/review/": "A draft: nothing counts before it is handed in.",
    "POST api/v1/reviews/next/": "A reservation that ends by itself.",
    "POST campaigns/<slug:slug>/pairs/": "A pair that is drawn; what is said of it leaves its line.",
    "POST api/v1/campaigns/<slug:slug>/pairs/": "A pair that is drawn; what is said of it leaves its line.",
    "POST campaigns/<slug:slug>/faults/preview/": "A computation: nothing changes.",
    "POST api/v1/campaigns/<slug:slug>/faults/preview/": "A computation: nothing changes.",
}


# Acts that no route does by itself, or that a route does beside what its try shows: the file of tests that compares their lines.
ELSEWHERE = {
    "judge.drawn": "judging/test_counting.py",
    "judge.seated": "judging/test_counting.py",
    "installation.backed_up": "operating/test_backups.py",
    "installation.backup_failed": "operating/test_backups.py",
    "dialogue.returned": "reviews/test_vetting.py",
    "privacy.texts_expired": "privacy/test_retention.py",
    "installation.restored": "operating/test_backups.py",
    "account.superuser": "audit/test_verify_trail.py",
    "account.password_mail": "accounts/passwords/test_actions.py",
    "board.frozen": "leaderboards/test_trail_acts.py",
    "bot.changed": "conformance/actions/test_fingerprints.py",
    "bot.drifted": "replays/test_sentinel.py",
    "bot.checked": "conformance/actions/test_checks.py",
    "bots.failed_together": "dialogues/test_breaking.py",
    "export.made": "leaderboards/test_trail_acts.py",
    "figures.imported": "automatic_tasks/test_trail_acts.py",
    "file.downloaded": "organizing/file/test_views.py",
    "program.assigned": "simulation/test_actions.py",
    "rehearsal.ended": "simulation/test_rehearsing.py",
    "campaign.rehearsed": "live/test_real_campaign.py",
    "campaign.secrets_printed": "campaigns/campaign_file/test_dumping.py",
    "login.guesses_forgotten": "accounts/log_in/test_actions.py",
    "login.failed": "accounts/log_in/test_recording.py",
    "login.unknown": "accounts/log_in/test_recording.py",
    "package.downloaded": "registration/test_packages.py",
    "password.issued": "accounts/test_trail_acts.py",
    "revision.refused": "reviews/test_trail_acts.py",
    "rubric.copied": "rubrics/test_actions.py",
    "run.downloaded": "automatic_tasks/test_trail_acts.py",
    "scores.adjudicated": "reviews/test_trail_acts.py",
    "scores.revised": "reviews/test_trail_acts.py",
    "secrets.resealed": "campaigns/test_secrets.py",
    "task.changed": "automatic_tasks/test_trail_acts.py",
    "service.changed": "automatic_tasks/test_service_prints.py",
    "service.checked": "automatic_tasks/test_service_checks.py",
    "tasks.downloaded": "organizing/tasks/test_views.py",
    "tasks.loaded": "automatic_tasks/test_trail_acts.py",
}


@dataclass(frozen=True)
class Try:
    """One way to use a route with success: who does it, which act it is, and what is sent where."""

    route: str
    by: str
    act: str
    prepare: Callable[[Stage], tuple[str, dict[str, Any]]]

    def __str__(self) -> str:
        return f"{self.route} {self.act}"


TRIES: dict[str, list[Try]] = {}


def tries(route: str, act: str, by: str = "organizer"):
    """Adds a way to use the route; the function prepares the stage and gives the address, "" for the usual, and what is sent."""

    def add(prepare):
        TRIES.setdefault(route, []).append(Try(route, by, act, prepare))
        return prepare

    return add
