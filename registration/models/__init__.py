"""How people and teams get into a campaign."""

from registration.models.agreements import Acceptance, Agreement
from registration.models.applications import Application
from registration.models.invitations import Invitation
from registration.models.packages import DataPackage, PackageContent, PackageDownload

__all__ = ["Acceptance", "Agreement", "Application", "DataPackage", "Invitation", "PackageContent", "PackageDownload"]
