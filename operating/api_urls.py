from django.urls import path

from operating.address_api import Addresses, OneAddress

urlpatterns = [
    path("operate/addresses/", Addresses.as_view(), name="api-addresses"),
    path("operate/addresses/<int:address_id>/", OneAddress.as_view(), name="api-address"),
]
