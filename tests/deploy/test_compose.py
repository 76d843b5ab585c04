"""The compose files: what their specification allows, confined, and running commands that Huace has."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.core.management import load_command_class

from config.environment import KNOWN
from operating.deploy_checks import check_installation
from tests.deploy.settings_of import ROOT, complaints, settings_of_compose, settings_of_units

FILES = ["compose.yaml", "compose.laptop.yaml"]
COMMANDS = {"migrate": "django.core", "serve": "serving", "work": "automatic_tasks", "backup": "operating"}
IMAGE = "localhost/huace"


def services_of(file):
    return yaml.safe_load((ROOT / file).read_text())["services"]


@pytest.mark.parametrize("file", FILES)
def test_a_compose_file_is_as_its_specification_says(file):
    program = str(Path(sys.executable).with_name("check-jsonschema"))
    told = subprocess.run(
        [program, "--builtin-schema", "vendor.compose-spec", str(ROOT / file)], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout


@pytest.mark.parametrize("file", FILES)
def test_our_services_are_confined_and_run_commands_with_options_that_they_know(file):
    ours = {name: service for name, service in services_of(file).items() if service["image"] == IMAGE}
    assert ours
    for name, service in ours.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["tmpfs"] == ["/tmp"], name
        command = service.get("command") or re.search(r"huace (.+?);", service["entrypoint"][2])[1].split()
        load_command_class(COMMANDS[command[0]], command[0]).create_parser("huace", command[0]).parse_args(command[1:])
        assert {key for key in service.get("environment", {}) if key.startswith("HUACE_")} <= KNOWN


def test_databases_are_reached_from_inside_alone_and_every_name_that_is_used_is_there():
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text())
    services = whole["services"]
    assert whole["networks"]["inside"] == {"internal": True}
    for name in ("postgres", "redis", "migrate", "backup"):
        assert services[name]["networks"] == ["inside"], name
    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]
    named = {volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", [])}
    assert {name for name in named if not name.startswith("./")} == set(whole["volumes"])
    upstreams = services["caddy"]["environment"]["HUACE_UPSTREAMS"].split()
    assert {one.removesuffix(":8000") for one in upstreams} == {name for name in services if name.startswith("app-")}
    assert (ROOT / "deploy" / "Caddyfile").exists()


def test_a_container_is_healthy_by_the_same_question_everywhere():
    containerfile = (ROOT / "Containerfile").read_text()
    asked = re.search(r"HEALTHCHECK .*?CMD (\[.+?\])\n", containerfile, re.S)[1]
    assert services_of("compose.yaml")["app-1"]["healthcheck"]["test"][1:] == yaml.safe_load(asked)


@pytest.mark.parametrize("shipped", [settings_of_compose, settings_of_units], ids=["compose", "units"])
def test_nothing_is_missing_with_the_shipped_settings(shipped, tmp_path):
    assert complaints(shipped() | {"HUACE_HOME": str(tmp_path)}) == []


def test_what_is_missing_is_named_with_its_remedy(tmp_path):
    changed = {
        "HUACE_SITE_URL": ("", "W001"),
        "HUACE_DEMO": ("1", "W004"),
        "HUACE_REQUIRE_SECOND_FACTOR": ("nobody", "W005"),
        "HUACE_API_RATE": ("0", "W006"),
        "REDIS_URL": ("", "W007"),
        "HUACE_SECRET_KEY": ("", "W008"),
    }
    wrong = {name: value for name, (value, _) in changed.items()}
    told = complaints(settings_of_compose() | {"HUACE_HOME": str(tmp_path)} | wrong)
    assert len(told) == len(changed)
    for name, (_, number) in changed.items():
        (line,) = [line for line in told if line.startswith(f"(huace.{number}) ")]
        assert name in line


@pytest.mark.parametrize(
    ("site", "proxies", "number", "remedy"),
    [
        ("http://huace.example.org", 1, "W002", "HUACE_SITE_URL=https://huace.example.org"),
        ("https://huace.example.org", 0, "W003", "HUACE_PROXIES=1"),
    ],
)
def test_a_site_without_tls_or_without_its_proxy_is_named(settings, site, proxies, number, remedy):
    settings.SITE_URL, settings.TRUSTED_PROXIES, settings.SECOND_FACTOR_OF = site, proxies, "organizers"
    (told,) = check_installation()
    assert told.id == f"huace.{number}"
    assert remedy in told.msg
