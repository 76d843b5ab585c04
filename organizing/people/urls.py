from django.urls import path

from organizing.people.hours_page import hours
from organizing.people.invitation_views import invitations, renew, withdraw
from organizing.people.leave_views import leave
from organizing.people.views import change_person, lift_limit, password_link, people, person, reset_factor

urlpatterns = [
    path("", people, name="people"),
    path("hours/", hours, name="hours"),
    path("log-in-limit/", lift_limit, name="lift-log-in-limit"),
    path("<int:person_id>/", person, name="person"),
    path("<int:person_id>/change/", change_person, name="change-person"),
    path("<int:person_id>/leave/", leave, name="leave"),
    path("<int:person_id>/second-factor/", reset_factor, name="reset-factor"),
    path("<int:person_id>/password-link/", password_link, name="password-link"),
    path("invitations/", invitations, name="invitations"),
    path("invitations/<int:invitation_id>/withdraw/", withdraw, name="withdraw-invitation"),
    path("invitations/<int:invitation_id>/renew/", renew, name="renew-invitation"),
]
