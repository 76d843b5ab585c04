"""What the trail says of models. `about` is the model's key; its address may hold a secret."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

MODEL_DECLARED = act("model.declared", _("declared the language model %(about)s"))
MODEL_CHANGED = act("model.changed", _("changed the language model %(about)s"))
MODEL_WITHDRAWN = act("model.withdrawn", _("withdrew the language model %(about)s"))
MODEL_CHECKED = act("model.checked", _("made a test call to the language model %(about)s"))
