"""Data packages: stored with their hash, downloaded on record, gone when they are removed."""

import hashlib
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from audit.models import TrailLine
from participants.models import Team
from registration.actions import NotPossible, download_package, remove_package, upload_package
from registration.actions import agreeing as packages
from registration.actions.agreeing import pieces_of
from registration.models import DataPackage, PackageContent

pytestmark = pytest.mark.django_db


def upload(campaign, name="train.zip", content=b"\x00\xffdata", **named):
    return upload_package(
        campaign=campaign,
        file_name=name,
        content=ContentFile(content),
        about="训练集",
        by=None,
        at=timezone.now(),
        **named,
    )


def refused(act, *given, **named):
    with pytest.raises(NotPossible) as not_possible:
        act(*given, **named)
    return not_possible.value.code


def test_a_package_is_stored_as_it_came_with_its_hash(campaign):
    package = upload(campaign)
    stored = DataPackage.objects.get()
    assert (stored.file_name, stored.size) == ("train.zip", 6)
    assert stored.sha256 == hashlib.sha256(b"\x00\xffdata").hexdigest()
    assert b"".join(pieces_of(package)) == b"\x00\xffdata"
    assert TrailLine.objects.get(act="package.uploaded").details == {"size": 6, "sha256": package.sha256}


def test_each_download_says_who_for_which_team_and_when(campaign, participant, organizer):
    package, team = upload(campaign), Team.objects.get(name="Team Alpha")
    at = timezone.now()
    assert b"".join(download_package(package=package, person=participant, team=team, at=at)) == b"\x00\xffdata"
    download_package(package=package, person=organizer, team=None, at=at)
    logged = list(package.downloads.order_by("pk").values_list("person__username", "team__name", "at"))
    assert logged == [("participant", "Team Alpha", at), ("organizer", None, at)]
    lines = TrailLine.objects.filter(act="package.downloaded").order_by("number")
    assert [(line.person, line.details["team"]) for line in lines] == [("participant", "Team Alpha"), ("organizer", "")]


def test_a_removed_package_is_gone_but_not_who_had_it(campaign, participant):
    package = upload(campaign)
    named = {"package": package, "person": participant, "team": None, "at": timezone.now()}
    download_package(**named)
    remove_package(package=package, by=None, at=timezone.now())
    assert not PackageContent.objects.exists()
    assert package.downloads.count() == 1
    assert refused(download_package, **named) == "gone"
    assert refused(remove_package, package=package, by=None, at=timezone.now()) == "gone"
    assert TrailLine.objects.filter(act="package.removed").count() == 1


def test_a_package_is_stored_and_sent_piece_by_piece(campaign, monkeypatch):
    monkeypatch.setattr(packages, "PIECE_BYTES", 4)
    package = upload(campaign, content=b"0123456789")
    assert [bytes(one.content) for one in PackageContent.objects.all()] == [b"0123", b"4567", b"89"]
    sent = pieces_of(package)
    assert next(sent) == b"0123"
    remove_package(package=package, by=None, at=timezone.now())
    with pytest.raises(DataPackage.DoesNotExist):
        next(sent)


class Breaks(ContentFile):
    """A file that cannot be read to its end."""

    def read(self, n=-1):
        if self.tell():
            raise OSError("the disk is gone")
        return super().read(n)


def test_nothing_is_left_of_an_upload_that_broke_off(campaign, monkeypatch):
    monkeypatch.setattr(packages, "PIECE_BYTES", 4)
    at = timezone.now()
    with pytest.raises(OSError, match="the disk is gone"):
        upload_package(campaign=campaign, file_name="x", content=Breaks(b"0123456789"), about="", by=None, at=at)
    assert not DataPackage.objects.exists()
    assert not TrailLine.objects.of_act("package.uploaded").exists()


def test_what_a_killed_server_left_is_removed_a_day_later(campaign):
    now = timezone.now()
    for hours in (1, 25):
        upload(campaign)
        DataPackage.objects.filter(removed_at=None).update(removed_at=now - timedelta(hours=hours))
    package = upload(campaign)
    assert [one.package.removed_at for one in PackageContent.objects.order_by("pk")] == [now - timedelta(hours=1), None]
    assert package.removed_at is None


def test_a_package_is_neither_empty_nor_larger_than_packages_may_be(campaign, settings):
    settings.PACKAGE_LIMIT_BYTES = 1024 * 1024
    settings.UPLOAD_LIMIT_BYTES = 1024
    nothing = {"campaign": campaign, "file_name": "x", "content": None, "about": "", "by": None, "at": timezone.now()}
    assert refused(upload_package, **nothing) == "no_file"
    assert refused(upload, campaign, content=b"") == "no_file"
    assert refused(upload, campaign, content=b"x" * (1024 * 1024 + 1)) == "too_large"
    assert upload(campaign, content=b"x" * 1024 * 1024).size == 1024 * 1024


@pytest.mark.parametrize(
    ("given", "stored"),
    [("../../etc/passwd", "passwd"), ("C:\\data\\数据.zip", "数据.zip"), ("a\r\nX: 1.zip", "a__X: 1.zip"), ("", "package"), ("\u202egpj.exe", "_gpj.exe")],
)  # fmt: skip
def test_a_file_name_is_text(campaign, given, stored):
    assert upload(campaign, name=given).file_name == stored
