"""REST: allowed addresses; the same acts and rules as the page."""

from typing import Annotated, Any, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import STAFF, is_of_staff, person_of
from api.answers import From
from api.describing import describes
from api.parsers import body_in
from participants.actions import allow_address, take_address_back
from participants.limits import PLACE_LIMIT
from participants.models import AllowedAddress
from reading.json_schemas import Moment
from reading.kinds import Text, Whole
from reading.tables import Field, Table

ALLOWING = Table({"place": Field(Text(PLACE_LIMIT)), "port": Field(Whole(0, 65535), 0)})


class AddressAnswer(TypedDict):
    """`port` 0 is every port that is open to systems."""

    id: Annotated[int, From("pk")]
    place: str
    port: int
    added_at: Moment


class AddressesAnswer(TypedDict):
    addresses: list[AddressAnswer]


class StaffView(APIView):
    access = STAFF

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not is_of_staff(request.user):
            raise Http404


class Addresses(StaffView):
    @describes("Lists the addresses that staff allow beyond the public ones", AddressesAnswer)
    def get(self, request: Request) -> dict[str, Any]:
        return {"addresses": list(AllowedAddress.objects.order_by("place", "port"))}

    @describes("Allows a host or a network", AddressAnswer, 201, reads=ALLOWING, refuses=(409,))
    def post(self, request: Request) -> AllowedAddress:
        return allow_address(**body_in(request, ALLOWING), by=person_of(request), at=timezone.now())


class OneAddress(StaffView):
    @describes("Takes an address back", None, 204)
    def delete(self, request: Request, address_id: int) -> Response:
        allowed = get_object_or_404(AllowedAddress, pk=address_id)
        take_address_back(allowed=allowed, by=person_of(request), at=timezone.now())
        return Response(status=204)
