"""A member with a wrong role changes nothing: every wrong role tries each page and operation that changes something.

`test_access.py` asks for pages with GET, which a page that only takes POST answers with 405 to everybody.
"""

import pytest

from campaigns.models import Role
from tests.routes import ACCESS, CHANGING_ROUTES, refusals_of
from tests.world import address_of, asked, noted_client_of

pytestmark = pytest.mark.usefixtures("db")
OF_ROLES = [(method, path) for method, path in map(str.split, CHANGING_ROUTES) if ACCESS[path].kind == "roles"]


def test_a_wrong_role_is_refused_by_every_page_that_changes_something(with_roles, dialogue, run, frozen, settings):
    settings.API_RATE = 0
    wrong, n_roles = [], 0
    for method, path in OF_ROLES:
        roles, address = frozenset(set(Role.values) - set(ACCESS[path].roles)), address_of(path, dialogue, run)
        answer, n_roles = asked(with_roles(roles), method, address), n_roles + len(roles)
        if answer.status_code not in refusals_of(path):
            wrong.append(f"{', '.join(sorted(roles))}: {method} {address}: {answer.status_code}")
    assert not wrong, "\n".join(wrong)
    assert n_roles > 250


def test_organizers_reach_what_is_theirs_so_that_the_refusals_mean_something(
    organizer, dialogue, run, frozen, settings
):
    settings.API_RATE = 0
    client, n = noted_client_of(organizer), 0
    for method, path in OF_ROLES:
        if Role.ORGANIZER in ACCESS[path].roles:
            n += asked(client, method, address_of(path, dialogue, run)).status_code not in {403, 404, 405}
    assert n > 30
