import pytest

from registration.invitation_lines import BadInvitations, Invitee, is_one_name, read_invitees

WORDS = {
    "tester": "tester",
    "测试员": "tester",
    "reviewer": "reviewer",
    "participant": "participant",
    "参赛者": "participant",
}


def read(pasted, *, roles=("tester",), team=""):
    return read_invitees(pasted, roles=roles, team=team, role_words=WORDS)


def problems_of(pasted, **named):
    with pytest.raises(BadInvitations) as bad:
        read(pasted, **named)
    return [problem.in_english for problem in bad.value.problems]


def test_a_line_is_a_name_or_an_address_with_the_role_for_all():
    assert read("zhang@example.org\n\n  李雷  \n") == [
        Invitee(1, "zhang@example.org", "zhang@example.org", ("tester",)),
        Invitee(3, "李雷", "", ("tester",)),
    ]


def test_a_line_may_say_roles_and_a_team_of_its_own():
    assert read("zhang@example.org, Participant, Team Alpha\nli, tester+reviewer") == [
        Invitee(1, "zhang@example.org", "zhang@example.org", ("participant",), "Team Alpha"),
        Invitee(2, "li", "", ("tester", "reviewer")),
    ]


@pytest.mark.parametrize("line", ["王，参赛者，甲队", "王\t参赛者\t甲队", "王；参赛者；甲队"])
def test_fields_are_divided_by_commas_of_both_scripts_and_by_the_tabs_of_spreadsheets(line):
    assert read(line) == [Invitee(1, "王", "", ("participant",), "甲队")]


def test_an_address_in_angle_brackets_is_read():
    assert read("Zhang San <zhang@example.org>")[0].email == "zhang@example.org"


def test_the_team_for_all_is_that_of_participants_only():
    invitees = read("li\nhan, participant\nmei, participant, B", team="A")
    assert [one.team for one in invitees] == ["", "A", "B"]


def test_every_problem_is_named_by_its_line():
    assert problems_of("zhang@\nli, boss\nli, tester, A\nhan, tester, , x\nok", roles=()) == [
        "line 1: no role: write one after the name, or choose one for all",
        "line 1: “zhang@” is not an e-mail address",
        "line 2: “boss” is not a role",
        "line 3: a team is for participants; the role is another",
        "line 4: more than name, role and team; is a comma too much?",
        "line 5: no role: write one after the name, or choose one for all",
    ]


def test_nobody_is_invited_twice_by_one_list():
    assert problems_of("Zhang@example.org\nli\nzhang@EXAMPLE.org\nLI") == [
        "line 3: the same person as in line 1",
        "line 4: the same person as in line 2",
    ]


def test_an_empty_list_and_one_of_more_than_200_lines_are_refused():
    assert problems_of("\n \n") == ["Name at least one person."]
    assert problems_of("\n".join(f"p{n}" for n in range(201))) == ["201 lines; at most 200 are read at once."]
    assert len(read("\n".join(f"p{n}" for n in range(200)))) == 200


def test_a_name_of_more_than_200_characters_is_refused():
    assert problems_of("x" * 201) == ["line 1: longer than 200 characters"]


def test_an_address_with_a_line_break_or_a_second_address_is_none():
    assert problems_of("Zhang <a@example.org b@example.org>") == [
        "line 1: “Zhang <a@example.org b@example.org>” is not an e-mail address"
    ]


def test_a_line_with_a_role_a_team_or_a_second_line_is_more_than_a_name():
    assert is_one_name("Zhang <zhang@example.org>")
    more = (
        "li, organizer",
        "li;organizer",
        "li\torganizer",
        "li，organizer",
        "li；organizer",
        "li\x85han",
        "li\nhan",
        "",
    )
    assert [text for text in more if is_one_name(text)] == []
