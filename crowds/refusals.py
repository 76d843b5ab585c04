"""Why something about a study is not possible, in words."""

from django.utils.translation import gettext_noop

from serving.refused import Refused


class CannotStudy(Refused):
    """Nothing was changed. `code` says why, `values` what its sentence names."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(SENTENCES[code], **values)
        self.code = code


SENTENCES = {
    "key_taken": gettext_noop("This campaign has a study with that key already."),
    "begun": gettext_noop("Somebody has begun: role, platform, amount of work, pay and currency stay as they are."),
    "unknown_exclusion": gettext_noop("%(names)s: no campaign or study of yours has that name."),
    "too_many": gettext_noop("A campaign has at most %(n)d studies."),
    "nothing_to_do": gettext_noop("There is nothing to talk about yet: add systems and test cases first."),
    "nobody_reviews": gettext_noop("In this campaign no panel reviews, so reviewers would find nothing to do."),
    "no_gold": gettext_noop(
        "The screening needs gold: set a pass mark for the training in the settings, and gold dialogues."
    ),
    "pass_mark": gettext_noop("The pass mark of the screening must be at least that of the training, %(n)d %%."),
    "no_wage": gettext_noop("Say what the work pays: a study that pays nothing cannot be opened."),
    "not_done": gettext_noop("Not everything is done yet: %(n)d to go."),
    "at_work_elsewhere": gettext_noop(
        "You have a place in another study of this campaign: finish it, or stop there, first."
    ),
    "not_this_account": gettext_noop("This link does not open the account that belongs to it: ask the organizer."),
    "nothing_to_decide": gettext_noop("This person was not let in, so there is nothing to decide."),
    "because_needed": gettext_noop(
        "Say why: whose work is rejected is not paid, and the platform asks for the reason."
    ),
}
