"""What the trail says of judges that are models: who declared, seated and withdrew them, and what was drawn for them."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

JUDGE_DECLARED = act("judge.declared", _("declared the judge %(about)s"))
JUDGE_WITHDRAWN = act("judge.withdrawn", _("withdrew the judge %(about)s"))
JUDGE_DRAWN = act("judge.drawn", _("had dialogues drawn for the judge %(about)s"))
JUDGE_SEATED = act("judge.seated", _("gave the judge %(about)s an account, because its scores count here"))
