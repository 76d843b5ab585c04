"""REST: operations whose answer is a file."""

from typing import Any

from rest_framework.request import Request
from rest_framework.views import APIView


class FileView(APIView):
    """The address says what the file is, so it is sent whatever the request accepts."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        return super().perform_content_negotiation(request, force=True)
