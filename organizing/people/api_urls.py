from django.urls import path

from organizing.people.api import (
    Invitations,
    LogInLimit,
    OneInvitation,
    OnePerson,
    PasswordLink,
    People,
    PersonLeave,
    PersonPause,
    PersonRoles,
    PersonSecondFactor,
    RenewedInvitation,
)
from organizing.people.hours_page import HoursOfCampaign

urlpatterns = [
    path("people/", People.as_view(), name="api-people"),
    path("people/hours/", HoursOfCampaign.as_view(), name="api-hours"),
    path("people/log-in-limit/", LogInLimit.as_view(), name="api-log-in-limit"),
    path("people/<int:person_id>/", OnePerson.as_view(), name="api-person"),
    path("people/<int:person_id>/roles/", PersonRoles.as_view(), name="api-person-roles"),
    path("people/<int:person_id>/pause/", PersonPause.as_view(), name="api-person-pause"),
    path("people/<int:person_id>/leave/", PersonLeave.as_view(), name="api-person-leave"),
    path("people/<int:person_id>/second-factor/", PersonSecondFactor.as_view(), name="api-person-second-factor"),
    path("people/<int:person_id>/password-link/", PasswordLink.as_view(), name="api-password-link"),
    path("invitations/", Invitations.as_view(), name="api-invitations"),
    path("invitations/<int:invitation_id>/", OneInvitation.as_view(), name="api-one-invitation"),
    path("invitations/<int:invitation_id>/renew/", RenewedInvitation.as_view(), name="api-renew-invitation"),
]
