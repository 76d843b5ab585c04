from django.urls import path

from operating.address_pages import addresses, remove
from operating.page import operate

urlpatterns = [
    path("operate/", operate, name="operate"),
    path("operate/addresses/", addresses, name="addresses"),
    path("operate/addresses/<int:address_id>/remove/", remove, name="remove-address"),
]
