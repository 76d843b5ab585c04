"""What the trail says of models. `about` is the model's key; its address may hold a secret."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

MODEL_DECLARED = trail_act("model.declared", _("declared the language model %(about)s"))
MODEL_CHANGED = trail_act("model.changed", _("changed the language model %(about)s"))
MODEL_WITHDRAWN = trail_act("model.withdrawn", _("withdrew the language model %(about)s"))
MODEL_CHECKED = trail_act("model.checked", _("made a test call to the language model %(about)s"))
