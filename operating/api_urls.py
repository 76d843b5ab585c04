from django.urls import path

from operating.address_api import Addresses, OneAddress
from operating.site_organizers import OneSiteOrganizer, SiteOrganizers

urlpatterns = [
    path("operate/addresses/", Addresses.as_view(), name="api-addresses"),
    path("operate/addresses/<int:address_id>/", OneAddress.as_view(), name="api-address"),
    path("operate/organizers/", SiteOrganizers.as_view(), name="api-site-organizers"),
    path("operate/organizers/<int:person_id>/", OneSiteOrganizer.as_view(), name="api-site-organizer"),
]
