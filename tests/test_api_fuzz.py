"""The API answers as it is described, whatever it is sent: no 500, no undescribed status, shape or media type.

Each operation gets a few made-up requests by somebody who may, and some that fit its schema nowhere. FUZZ_EXAMPLES sets how
many (`make fuzz`). Every request is undone before the next.

What made-up bodies reach changes with every field of a schema. That each operation succeeds as it is described is held
without chance, by a request to it that nothing is made up in: here for those that read, in tests/test_trail.py for those
that leave a line in the trail, each with what has to be there before. Which succeeded in none of these is printed.
"""

import os
import re

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import ApiToken
from campaigns.models import Role
from frame.api_pages.views import api_schema
from tests.api_answers import label_of
from tests.trail_tries.all import TRIES
from tests.world import frozen, joins, run, values_of

__all__ = ["frozen", "run"]

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2" if os.environ.get("CI") else "5"))
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SCHEMA = schemathesis.openapi.from_dict(api_schema())
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]
LABELS = {operation.label for operation in OPERATIONS}


# Operations that read and do not succeed here when nothing is asked beside the path, with the reason.
NEED_MORE = {
    "GET /api/v1/campaigns/{slug}/application/": "nobody has applied",
    "GET /api/v1/campaigns/{slug}/leaderboard/{number}/records/{figure}/": "the snapshot has no bundle that can be read",
    "GET /api/v1/campaigns/{slug}/leaderboard/{number}/dialogues/{dialogue_number}/images/{picture_name}/": "the snapshot has no bundle that can be read",
    "GET /api/v1/campaigns/{slug}/team/bots/{entry_id}/report/": "nothing is published",
    "GET /api/v1/campaigns/{slug}/team/dialogues/{dialogue_id}/": "transcripts are not released",
    "GET /api/v1/campaigns/{slug}/team/replays/{replay_id}/": "nothing is published",
    "GET /api/v1/dialogues/{dialogue_id}/images/{picture_name}/": "a picture's name is the digest of what a bot sent",
    "GET /api/v1/pairs/{pair_id}/images/{picture_name}/": "a picture's name is the digest of what a bot sent",
    "GET /api/v1/people/{person_id}/erase/": "for the site's staff, and who talks at the moment is not erased",
    "GET /api/v1/invitations/{token}/": "only the hash of an invitation is stored",
}
ASKED = {"GET /api/v1/reviews/queue/": {"campaign": "small"}, "GET /api/v1/reviews/waiting/": {"campaign": "small"}}
# Operations that write, need nothing before and leave no line in the trail, with what they succeed with.
SENT = {"POST /api/v1/dialogues/{dialogue_id}/problems/": {"text": "x"}}


@pytest.fixture(autouse=True)
def the_connection_stays_open():
    """A request would close it behind the transaction that the test is in."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


@pytest.fixture
def tokens(campaign, dialogue, run, people_of_each_role):
    return {name: ApiToken.objects.create(user=person)[1] for name, person in people_of_each_role.items()}


@pytest.fixture
def people_of_each_role(campaign, dialogue, run, organizer, participant, tester, reviewer):
    """The tester may do everything, so that each operation finds somebody who gets behind its rule."""
    for role in Role:
        campaign.roles.get_or_create(person=tester, role=role)
    joins(tester, dialogue, run)
    tester.is_staff = True
    tester.save()
    return {"everything": tester, "organizer": organizer, "participant": participant, "reviewer": reviewer}


@pytest.fixture
def known(dialogue, run):
    """Real values for the arguments of paths, by their names."""
    return {re.sub(r"<\w+:|>", "", argument): value for argument, value in values_of(dialogue, run).items()}


@pytest.mark.django_db
def test_every_operation_answers_as_it_is_described(tokens, known, frozen, settings):
    settings.API_RATE = 0
    app, wrong, done = get_wsgi_application(), [], set()
    for operation in OPERATIONS:
        try:
            if holds_for(operation, app, tokens, known):
                done.add(operation.label)
        except (Exception, BaseExceptionGroup) as failure:
            wrong.append(f"{operation.label}: {failure}")
    assert not wrong, "\n\n".join(wrong)
    reading = {label for label in LABELS if label.startswith("GET")} - NEED_MORE.keys()
    done |= reading | SENT.keys() | {label_of(route) for route in TRIES}
    never = sorted(LABELS - done)
    print(f"{len(never)} of {len(OPERATIONS)} operations never succeeded:", *never, sep="\n")


@pytest.mark.django_db
def test_every_operation_that_reads_or_leaves_no_line_is_reached(tokens, known, frozen, settings):
    settings.API_RATE = 0
    app, missed = get_wsgi_application(), {}
    for operation in OPERATIONS:
        label = operation.label
        if label.startswith("GET") or label in SENT:
            own = {"path_parameters": own_arguments(operation, known), "query": ASKED.get(label, {})}
            if label in SENT:
                own |= {"body": SENT[label], "media_type": "application/json"}
            case = operation.Case(**own)
            # Exports, unpublished bundles and records are closed to an organizer with an interest, as the first is.
            for name in ("everything", "organizer"):
                with undone():
                    answer = case.call(app=app, headers={"Authorization": f"Token {tokens[name]}"})
                case.validate_response(answer, checks=CHECKS)
                if 200 <= answer.status_code < 300:
                    break
            else:
                missed[label] = answer.status_code, answer.content
    assert missed.keys() == NEED_MORE.keys(), missed


def own_arguments(operation, known):
    return {one.name: known.get(one.name, "x") for one in operation.path_parameters}


def holds_for(operation, app, tokens, known):
    """Whether a request of the operation succeeded. Errors: what schemathesis finds, or what the app raises."""
    statuses = set()
    own = own_arguments(operation, known)
    fitting = operation.as_strategy(generation_mode=GenerationMode.POSITIVE, path_parameters=own)
    anywhere = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    has_content = bool(operation.body or operation.query)
    unfitting = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE, path_parameters=own)
    cases = st.one_of(fitting, fitting, anywhere, *([unfitting] if has_content else []))

    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=cases, token=st.sampled_from([*tokens.values(), tokens["everything"]]))
    def answers_as_described(case, token):
        with undone():
            answer = case.call(app=app, headers={"Authorization": f"Token {token}"})
        statuses.add(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    answers_as_described()
    return any(200 <= status < 300 for status in statuses)


class undone(transaction.Atomic):
    """Whatever is written inside is taken back."""

    def __init__(self):
        super().__init__(using=None, savepoint=True, durable=False)

    def __exit__(self, kind, error, trace):
        transaction.set_rollback(True)
        super().__exit__(kind, error, trace)
