"""What the trail says of acts on campaigns: their files and settings, plans, bots that pause, people who leave."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

CAMPAIGN_CREATED = act("campaign.created", _("created the campaign %(about)s"))
CAMPAIGN_LOADED = act("campaign.loaded", _("loaded the file of the campaign %(about)s"))
SECRETS_PRINTED = act("campaign.secrets_printed", _("printed the file of the campaign %(about)s with secrets"))
SCENARIO_STORED = act("scenario.stored", _("wrote the scenario %(about)s"))
SCENARIO_REMOVED = act("scenario.removed", _("removed the scenario %(about)s"))
SCENARIOS_IMPORTED = act("scenarios.imported", _("imported scenarios from %(about)s"))
SETTINGS_CHANGED = act("settings.changed", _("changed settings of the campaign %(about)s"))
RUBRIC_CHANGED = act("rubric.changed", _("changed the rubric of the campaign %(about)s"))
DESCRIPTION_CHANGED = act("description.changed", _("changed the description of the campaign %(about)s"))
CONSENT_GIVEN = act("consent.given", _("agreed to what testers are asked in the campaign %(about)s"))
CALENDAR_CHANGED = act("calendar.changed", _("changed the dates of the campaign %(about)s"))
PLAN_DRAWN = act("plan.drawn", _("drew who talks to which system"))
BOT_PAUSED = act("bot.paused", _("paused the system %(about)s"))
BOT_RESUMED = act("bot.resumed", _("resumed the system %(about)s"))
BOT_WITHDRAWN = act("bot.withdrawn", _("withdrew the system %(about)s"))
BOT_REGISTERED = act("bot.registered", _("registered the system %(about)s"))
BOT_ADDRESS_CHANGED = act("bot.address_changed", _("changed the address of the system %(about)s"))
BOT_SUBMITTED = act("bot.submitted", _("asked for the admission of the system %(about)s"))
BOT_ADMITTED = act("bot.admitted", _("admitted the system %(about)s"))
BOT_SENT_BACK = act("bot.sent_back", _("sent the system %(about)s back to its team"))
BOT_FROZEN = act("bot.frozen", _("froze the address of the system %(about)s"))
BOT_TAKEN_OUT = act("bot.taken_out", _("took their own system %(about)s out"))
SECRETS_RESEALED = act("secrets.resealed", _("re-encrypted the secrets of the systems"))
ROLE_GIVEN = act("role.given", _("gave a role to %(about)s"))
ROLE_TAKEN = act("role.taken", _("took a role from %(about)s"))
PERSON_PAUSED = act("person.paused", _("paused %(about)s"))
PERSON_RESUMED = act("person.resumed", _("ended the pause of %(about)s"))
WORK_HANDED_ON = act("person.work_handed_on", _("handed on what %(about)s had not begun"))
