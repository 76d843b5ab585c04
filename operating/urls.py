from django.urls import path

from operating.address_pages import addresses, remove
from operating.page import operate
from operating.site_organizers import remove_organizer, site_organizers

urlpatterns = [
    path("operate/", operate, name="operate"),
    path("operate/addresses/", addresses, name="addresses"),
    path("operate/addresses/<int:address_id>/remove/", remove, name="remove-address"),
    path("operate/organizers/", site_organizers, name="site-organizers"),
    path("operate/organizers/<int:person_id>/remove/", remove_organizer, name="remove-site-organizer"),
]
