"""Freezing, publishing and withdrawing: by organizers alone, each told as who did what when; and what the server does by itself."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from campaigns.actions import ReasonNeeded, note_changed_scores
from campaigns.calendar import NotNow
from campaigns.models import Campaign
from leaderboards.actions import refresh_leaderboard
from leaderboards.live_board import stored_board
from publication.actions import freezing
from publication.actions import freezing as actions
from publication.actions.freezing import NOT_READY, ScoresCameIn, carry_out_orders, freeze
from publication.actions.ordering import NotOrganizer, NotReady, drop_order, order_freeze, store_order
from publication.actions.publishing import (
    AlreadyPublished,
    NotPublished,
    OtherNames,
    follow_publications,
    publish,
    withdraw,
)
from publication.bundles import StoredBundle, board_in_bundle, statistics_in_bundle
from publication.documents import has_same_rows
from publication.models import FreezeOrder, Publication, Snapshot
from reviews.actions.counting import policy_of
from reviews.models import Reviewing
from tests.publication.conftest import add_records, record
from tests.publishing import path_of
from verification.verifying import verify

pytestmark = pytest.mark.django_db


def state(campaign):
    campaign.refresh_from_db()
    return campaign.is_published, campaign.was_published


def test_what_is_frozen_is_the_board_of_that_moment_whatever_comes_later(scored, organizer):
    snapshot = freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
    document = json.loads(snapshot.board)
    # By hand: three of four records complete, each of 2 turns, one charged its cap: (2 + 2 + 2 + 9) / 4.
    assert [(row["rank"], row["team"], row["figures"]["completion"]) for row in document["rows"]] == [
        (1, "Team Beta", 0.75), (2, "Team Gamma", 0.25)
    ]  # fmt: skip
    assert document["rows"][0]["figures"]["mean_turns"] == 3.75
    assert [(row["team"], row["reason"]["value"]) for row in document["unranked"]] == [("Team Alpha", "no records")]
    assert (document["number"], document["names"], document["campaign"]) == (1, "teams", "small")
    add_records(scored, record("Team Gamma", 9, True, 1))
    refresh_leaderboard(campaign=scored, at=timezone.now())
    assert Snapshot.objects.get().board == snapshot.board
    assert freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now()).number == 2


def test_a_board_that_is_behind_is_computed_before_it_is_frozen(scored, organizer):
    add_records(scored, record("Team Delta", 1, True, 1))
    assert stored_board(scored).is_outdated
    snapshot = freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
    assert json.loads(snapshot.board)["rows"][0]["team"] == "Team Delta"


def test_with_aliases_a_snapshot_tells_no_team_and_no_bot(scored, organizer):
    snapshot = freeze(campaign=scored, hides_teams=True, by=organizer, at=timezone.now())
    aliases = set(scored.entries.values_list("alias", flat=True))
    document = json.loads(snapshot.board)
    assert {row["bot"] for row in (*document["rows"], *document["unranked"])} == aliases
    assert "Team" not in snapshot.board
    assert not any(key in snapshot.board for key in scored.entries.exclude(key="a").values_list("key", flat=True))


def test_the_agreement_that_is_frozen_is_of_the_scores_that_are(scored, organizer, monkeypatch):
    Campaign.objects.update(reviewed_by="both")
    monkeypatch.setattr(actions, "is_counted_by_policy", lambda campaign: True)
    monkeypatch.setattr(actions, "check_ready", lambda campaign: None)
    alphas = iter([0.25, 0.5])
    monkeypatch.setattr(
        "leaderboards.actions.agreement_of", lambda campaign: {"criteria": {"fluency": {"alpha": next(alphas)}}}
    )

    def frozen():
        snapshot = freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
        return json.loads(snapshot.board)["agreement"]

    assert frozen() == {"fluency": 0.25}
    assert frozen() == {"fluency": 0.25}
    note_changed_scores(campaign=scored)
    assert frozen() == {"fluency": 0.5}


def test_only_organizers_freeze_publish_and_withdraw(snapshot, scored, tester):
    now = timezone.now()
    for act in (
        lambda: order_freeze(campaign=scored, hides_teams=False, by=tester, at=now),
        lambda: freeze(campaign=scored, hides_teams=False, by=tester, at=now),
        lambda: publish(snapshot=snapshot, public_from=now, by=tester, at=now),
        lambda: withdraw(snapshot=snapshot, because="why not", by=tester, at=now),
        lambda: drop_order(campaign=scored, by=tester),
    ):
        with pytest.raises(NotOrganizer):
            act()
    assert Snapshot.objects.count() == 1
    assert not Publication.objects.exists()


def test_what_blocks_is_named_and_nothing_is_frozen(dialogue, bundles, organizer):
    campaign = dialogue.assignment.campaign
    for act in (order_freeze, freeze):
        with pytest.raises(NotReady) as refused:
            act(campaign=campaign, hides_teams=False, by=organizer, at=timezone.now())
        assert [finding.key for finding in refused.value.findings] == ["empty", "open"]
    assert not Snapshot.objects.exists()


@pytest.fixture
def bundled(monkeypatch, bundles):
    """A bundle is a file of one byte; `during` can do something while it is written."""
    happens = []

    def store(campaign, **_):
        bundles.mkdir(exist_ok=True)
        path_of("d" * 64).write_bytes(b"x")
        for happening in happens:
            happening()
        return StoredBundle("d" * 64, 1)

    monkeypatch.setattr(actions, "store_bundle", store)
    monkeypatch.setattr(actions, "board_in_bundle", lambda digest: {})
    monkeypatch.setattr(actions, "statistics_in_bundle", lambda digest: None)
    monkeypatch.setattr(actions, "pairs_in_bundle", lambda digest: None)
    monkeypatch.setattr(actions, "has_same_rows", lambda document, other: True)
    return happens


def test_a_snapshot_tells_the_digest_of_its_bundle(scored, organizer, bundled):
    snapshot = freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
    assert (snapshot.bundle_digest, snapshot.bundle_bytes) == ("d" * 64, 1)
    assert json.loads(snapshot.board)["bundle"] == {"sha256": "d" * 64, "bytes": 1}


def test_the_bundle_of_a_snapshot_verifies_and_says_the_same_board(scored, organizer):
    for hides_teams in (False, True):
        snapshot = freeze(campaign=scored, hides_teams=hides_teams, by=organizer, at=timezone.now())
        assert verify(path_of(snapshot.bundle_digest), draws=True).is_verified
        document = json.loads(snapshot.board)
        assert has_same_rows(document, board_in_bundle(snapshot.bundle_digest))
        assert document["statistics"] == statistics_in_bundle(snapshot.bundle_digest)
        assert set(document["statistics"]["rows"]) == {row["key"] for row in document["rows"]}


def test_figures_that_differ_from_those_of_the_bundle_are_not_frozen(scored, organizer, monkeypatch):
    monkeypatch.setattr(actions, "board_in_bundle", lambda digest: {"rows": [], "unranked": []})
    with pytest.raises(ScoresCameIn):
        freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
    assert not Snapshot.objects.exists()


def test_scores_that_come_in_meanwhile_refuse_the_snapshot_and_its_bundle_goes(scored, organizer, bundled):
    bundled.append(lambda: note_changed_scores(campaign=scored))
    with pytest.raises(ScoresCameIn):
        freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
    assert not Snapshot.objects.exists()
    assert not path_of("d" * 64).exists()


def test_a_bundle_of_an_earlier_snapshot_stays_when_a_later_one_is_refused(scored, organizer, bundled):
    freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
    bundled.append(lambda: note_changed_scores(campaign=scored))
    with pytest.raises(ScoresCameIn):
        freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
    assert path_of("d" * 64).exists()


def test_a_publication_says_who_published_what_and_when(snapshot, organizer):
    now = timezone.now()
    publication = publish(snapshot=snapshot, public_from=now, by=organizer, at=now)
    assert (publication.published_by, publication.published_at, publication.public_from) == (organizer, now, now)
    assert state(snapshot.campaign) == (True, True)
    with pytest.raises(AlreadyPublished):
        publish(snapshot=snapshot, public_from=now, by=organizer, at=now)


def test_nothing_is_public_before_now(snapshot, organizer):
    now = timezone.now()
    early = now - timedelta(days=3)
    assert publish(snapshot=snapshot, public_from=early, by=organizer, at=now).public_from == now


def test_under_an_embargo_nothing_is_public_until_its_day_and_then_by_itself(snapshot, organizer):
    now = timezone.now()
    publish(snapshot=snapshot, public_from=now + timedelta(days=1), by=organizer, at=now)
    assert state(snapshot.campaign) == (False, True)
    assert follow_publications(at=now + timedelta(hours=23)) == 0
    assert follow_publications(at=now + timedelta(days=1)) == 1
    assert state(snapshot.campaign) == (True, True)
    assert follow_publications(at=now + timedelta(days=1)) == 0


def test_a_withdrawal_says_who_when_and_why_and_the_snapshot_can_be_published_again(snapshot, organizer):
    now = timezone.now()
    publish(snapshot=snapshot, public_from=now, by=organizer, at=now)
    with pytest.raises(ReasonNeeded):
        withdraw(snapshot=snapshot, because="  ", by=organizer, at=now)
    withdrawn = withdraw(snapshot=snapshot, because=" a wrong rule ", by=organizer, at=now)
    assert (withdrawn.withdrawn_by, withdrawn.withdrawn_at) == (organizer, now)
    assert withdrawn.withdrawn_because == "a wrong rule"
    assert state(snapshot.campaign) == (False, True)
    with pytest.raises(NotPublished):
        withdraw(snapshot=snapshot, because="again", by=organizer, at=now)
    publish(snapshot=snapshot, public_from=now, by=organizer, at=now)
    assert Publication.objects.count() == 2


def test_withdrawing_the_newest_leaves_an_older_publication_public(scored, snapshot, organizer):
    now = timezone.now()
    publish(snapshot=snapshot, public_from=now, by=organizer, at=now)
    newer = freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    publish(snapshot=newer, public_from=now, by=organizer, at=now)
    withdraw(snapshot=newer, because="a wrong rule", by=organizer, at=now)
    assert state(scored) == (True, True)


def test_an_order_is_carried_out_once_and_is_gone(scored, organizer):
    now = timezone.now()
    order_freeze(campaign=scored, hides_teams=True, by=organizer, at=now)
    assert carry_out_orders(at=now) == 1
    assert carry_out_orders(at=now) == 0
    snapshot = Snapshot.objects.get()
    assert (snapshot.hides_teams, snapshot.made_by, snapshot.made_at) == (True, organizer, now)
    assert not FreezeOrder.objects.exists()
    assert not Publication.objects.exists()


def test_an_order_that_another_process_carries_out_is_left_to_it(scored, organizer, bundled):
    now = timezone.now()
    order_freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    also_looked = []
    bundled.append(lambda: also_looked.append(carry_out_orders(at=now)))
    assert carry_out_orders(at=now) == 1
    assert also_looked == [0]


def test_an_order_is_tried_again_after_scores_came_in(scored, organizer, bundled):
    now = timezone.now()
    order_freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    bundled.append(lambda: note_changed_scores(campaign=scored))
    assert carry_out_orders(at=now) == 0
    bundled.clear()
    assert carry_out_orders(at=now) == 0
    assert carry_out_orders(at=now + actions.AGAIN_AFTER) == 1


def test_an_order_that_cannot_be_carried_out_says_why_and_waits_for_a_person(scored, organizer, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    now = timezone.now()
    monkeypatch.setattr(actions, "store_bundle", full)
    order_freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    with pytest.raises(OSError, match="No space"):
        carry_out_orders(at=now)
    assert "No space left" in FreezeOrder.objects.get().failure
    assert carry_out_orders(at=now + timedelta(days=1)) == 0
    drop_order(campaign=scored, by=organizer)
    assert not FreezeOrder.objects.exists()


def test_a_campaign_file_that_says_published_has_the_board_frozen_and_published(scored):
    now = timezone.now()
    Campaign.objects.update(is_published=True)
    assert follow_publications(at=now) == 1
    assert follow_publications(at=now) == 0
    assert carry_out_orders(at=now) == 1
    publication = Publication.objects.get()
    assert (publication.published_by, publication.snapshot.made_by) == (None, None)
    assert state(scored) == (True, True)


def test_a_campaign_file_publishes_no_empty_board(campaign, bundles):
    now = timezone.now()
    Campaign.objects.update(is_published=True)
    follow_publications(at=now)
    assert carry_out_orders(at=now) == 0
    assert state(campaign) == (False, False)
    assert FreezeOrder.objects.get().failure == NOT_READY


def test_a_file_that_says_published_takes_no_failed_order_of_an_organizer_over(scored, organizer):
    now = timezone.now()
    order_freeze(campaign=scored, hides_teams=True, by=organizer, at=now)
    FreezeOrder.objects.update(failure="No space left")
    Campaign.objects.update(is_published=True)
    assert follow_publications(at=now) == 0
    order = FreezeOrder.objects.get()
    assert (order.asked_by, order.hides_teams, order.failure) == (organizer, True, "No space left")


def test_what_a_file_asks_for_waits_for_the_board_that_is_being_frozen_and_replaces_no_order(scored, organizer):
    now = timezone.now()
    store_order(campaign=scored, hides_teams=False, by=organizer, at=now, of_board="main")
    Campaign.objects.update(is_published=True)
    assert follow_publications(at=now) == 0
    assert FreezeOrder.objects.get().asked_by == organizer
    FreezeOrder.objects.update(failure="No space left")
    assert follow_publications(at=now) == 1, "what failed of another board stands in nobody's way"
    assert sorted(FreezeOrder.objects.values_list("of_board", "asked_by")) == [("", None), ("main", organizer.pk)]
    drop_order(campaign=scored, by=organizer, of_board="main")
    assert FreezeOrder.objects.get().of_board == ""


def test_who_was_given_up_says_nothing_of_an_order_that_another_carries_out(scored, organizer, bundled):
    now = timezone.now()
    later = now + actions.GIVEN_UP_AFTER
    order_freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    bundled.append(lambda: FreezeOrder.objects.update(began_at=later, share_done=0.5))
    assert carry_out_orders(at=now) == 0
    order = FreezeOrder.objects.get()
    assert (order.began_at, order.share_done, order.failure) == (later, 0.5, "")
    assert not scored.snapshots.exists()


def test_why_a_freeze_failed_is_stored_for_readers_of_both_languages(scored, organizer):
    now = timezone.now()
    order_freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    scored.roles.filter(person=organizer).delete()
    with override("zh-hans"):
        assert carry_out_orders(at=now) == 0
    assert FreezeOrder.objects.get().failure == "The person who asked for it no longer organizes the campaign."


def test_the_column_follows_the_publications(snapshot, organizer):
    now = timezone.now()
    Campaign.objects.update(is_published=True, was_published=True)
    assert follow_publications(at=now) == 1
    assert state(snapshot.campaign) == (False, True)


def test_teams_and_aliases_are_never_public_together(scored, organizer):
    now = timezone.now()
    teams = freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    aliases = freeze(campaign=scored, hides_teams=True, by=organizer, at=now)
    publish(snapshot=teams, public_from=now, by=organizer, at=now)
    with pytest.raises(OtherNames):
        publish(snapshot=aliases, public_from=now, by=organizer, at=now)
    withdraw(snapshot=teams, because="aliases", by=organizer, at=now)
    assert publish(snapshot=aliases, public_from=now, by=organizer, at=now).snapshot == aliases


def test_nothing_is_frozen_before_what_counts_was_counted_by_the_settings_of_now(scored, organizer):
    Reviewing.objects.create(campaign=scored, policy=policy_of(scored) | {"counted": "another"})
    with pytest.raises(ScoresCameIn):
        freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())


def test_a_freeze_that_scores_hold_up_for_minutes_says_so_and_a_waiting_one_can_be_stopped(scored, organizer):
    now = timezone.now()
    Reviewing.objects.create(campaign=scored, policy={"counted": "another"})
    order_freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    carry_out_orders(at=now)
    assert FreezeOrder.objects.get().failure == ""
    carry_out_orders(at=now + timedelta(minutes=6))
    assert FreezeOrder.objects.get().failure
    drop_order(campaign=scored, by=organizer)
    order_freeze(campaign=scored, hides_teams=False, by=organizer, at=now)
    drop_order(campaign=scored, by=organizer)
    assert not FreezeOrder.objects.exists()


def test_nothing_is_public_before_the_campaigns_day_of_publication(snapshot, organizer):
    now = timezone.now()
    day = now.replace(microsecond=0) + timedelta(days=2)
    Campaign.objects.update(publication_at=day)
    for early in (now, day - timedelta(seconds=1)):
        with pytest.raises(NotNow, match="Results are published from"):
            publish(snapshot=snapshot, public_from=early, by=organizer, at=now)
    assert not Publication.objects.exists()
    assert publish(snapshot=snapshot, public_from=day, by=organizer, at=now).public_from == day


def test_publishing_and_withdrawing_stay_open_once_the_campaign_is_over(snapshot, organizer):
    now = timezone.now()
    Campaign.objects.update(ends_at=now - timedelta(days=1))
    publish(snapshot=snapshot, public_from=now, by=organizer, at=now)
    withdraw(snapshot=snapshot, because="a wrong figure", by=organizer, at=now)
    assert state(snapshot.campaign) == (False, True)


def test_what_a_campaign_file_publishes_waits_for_the_day_of_publication(scored):
    now = timezone.now()
    day = now + timedelta(days=2)
    Campaign.objects.update(is_published=True, publication_at=day)
    follow_publications(at=now)
    assert carry_out_orders(at=now) == 1
    assert Publication.objects.get().public_from == day
    assert state(scored) == (False, True)
    follow_publications(at=day)
    assert state(scored) == (True, True)


def freezing_while(monkeypatch, happens):
    """Something happens while the board is frozen, after the campaign was read."""

    def freeze_meanwhile(**named):
        made = freeze(**named)
        monkeypatch.setattr(freezing, "freeze", freeze)
        happens()
        return made

    monkeypatch.setattr(freezing, "freeze", freeze_meanwhile)


def test_the_day_of_publication_may_be_moved_while_the_board_is_frozen(scored, monkeypatch):
    now = timezone.now()
    later = now + timedelta(days=3)
    Campaign.objects.update(is_published=True, publication_at=now + timedelta(days=2))
    follow_publications(at=now)
    freezing_while(monkeypatch, lambda: Campaign.objects.update(publication_at=later))
    assert carry_out_orders(at=now) == 1
    assert Publication.objects.get().public_from == later


def test_what_an_organizer_publishes_with_aliases_meanwhile_ends_what_the_file_asked_for(
    scored, monkeypatch, organizer
):
    now = timezone.now()
    Campaign.objects.update(is_published=True)
    follow_publications(at=now)

    def publishes_aliases():
        snapshot = freeze(campaign=scored, hides_teams=True, by=organizer, at=now)
        publish(snapshot=snapshot, public_from=now, by=organizer, at=now)

    freezing_while(monkeypatch, publishes_aliases)
    carry_out_orders(at=now)
    assert FreezeOrder.objects.get().failure.startswith("Withdraw the published one first")
    # Nothing freezes the board again and again, and what is published stays so.
    hours_later = now + timedelta(hours=2)
    follow_publications(at=hours_later)
    assert carry_out_orders(at=hours_later) == 0
    assert (scored.snapshots.count(), Publication.objects.get().snapshot.hides_teams) == (2, True)
    assert state(scored) == (True, True)
