"""Who organizes the whole site: the page and the API."""

from accounts.models import Person
from tests.trail_tries.setting_up import staff
from tests.trail_tries.table import tries

PLACE = "operate/organizers/"


def second():
    return Person.objects.create_user("second", is_staff=True)


@tries(f"POST {PLACE}", "site.given")
def _(stage):
    staff()
    return "", {"username": "reviewer"}


@tries(f"POST api/v1/{PLACE}", "site.given")
def _(stage):
    staff()
    return "", {"username": "reviewer"}


@tries(f"POST {PLACE}<int:person_id>/remove/", "site.taken")
def _(stage):
    staff()
    return f"/{PLACE}{second().pk}/remove/", {}


@tries(f"DELETE api/v1/{PLACE}<int:person_id>/", "site.taken")
def _(stage):
    staff()
    return f"/api/v1/{PLACE}{second().pk}/", {}
