"""How long a password is to be. Django's own sentence about it has no Chinese."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


class LongEnough(MinimumLengthValidator):
    def validate(self, password: str, user: object = None) -> None:
        if len(password) < self.min_length:
            raise ValidationError(_("Choose at least %(n)d characters.") % {"n": self.min_length}, "password_too_short")
