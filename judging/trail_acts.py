"""What the trail says of judges that are models: who declared, seated and withdrew them, and what was drawn for them."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

JUDGE_DECLARED = trail_act("judge.declared", _("declared the judge %(about)s"))
JUDGE_WITHDRAWN = trail_act("judge.withdrawn", _("withdrew the judge %(about)s"))
JUDGE_DRAWN = trail_act("judge.drawn", _("had dialogues drawn for the judge %(about)s"))
JUDGE_SEATED = trail_act("judge.seated", _("gave the judge %(about)s an account, because its scores count here"))
