"""Real proxies with the files that are shipped, TLS in front: people log in, sockets talk, addresses and links are those of clients."""

import asyncio
import os
import re
import shutil
import ssl
import subprocess
from contextlib import contextmanager

import httpx
import pytest
import websockets

from demo.sample_bots import free_port
from tests.live.databases import ROOT
from tests.live.server import Client, live
from tests.waiting import until

pytestmark = pytest.mark.server

CADDY_GLOBALS = (
    "{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {http}\n\tstorage file_system {folder}\n}}\nimport {shipped}\n"
)
NGINX_MAIN = """
user root; daemon off; pid {folder}/pid; error_log stderr; worker_processes 1;
events {{}}
http {{
    access_log {folder}/access.log; client_body_temp_path {folder}; proxy_temp_path {folder};
    fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
    include {folder}/huace.conf;
}}
"""


def caddy(folder, port, upstreams, site="https://localhost"):
    file = folder / "Caddyfile"
    file.write_text(CADDY_GLOBALS.format(http=free_port(), folder=folder, shipped=ROOT / "deploy" / "Caddyfile"))
    site = {"HUACE_SITE": f"{site}:{port}", "HUACE_UPSTREAMS": upstreams, "HOME": str(folder)}
    return [shutil.which("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)], site


def nginx(folder, port, upstream):
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)
    shipped = (ROOT / "deploy" / "nginx.conf").read_text()
    for said, here in (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        ("server 127.0.0.1:8000 max_fails=0;", f"server {upstream} max_fails=0;"),
        ("huace.example.org;", "localhost;"),
        ("/etc/ssl/huace.example.org.pem", str(folder / "certificate.pem")),
        ("/etc/ssl/huace.example.org.key", str(folder / "key.pem")),
    ):
        assert said in shipped
        shipped = shipped.replace(said, here)
    (folder / "huace.conf").write_text(shipped)
    (folder / "nginx.conf").write_text(NGINX_MAIN.format(folder=folder))
    return [shutil.which("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")], {}


@pytest.fixture(params=[caddy, nginx], ids=lambda proxy: proxy.__name__)
def site(request, bot, tmp_path):
    """A server that knows its site, behind the proxy; gives both and the address that people open."""
    if shutil.which(request.param.__name__) is None:
        pytest.skip(f"{request.param.__name__} is not installed here")
    port = free_port()
    address = f"https://localhost:{port}"
    with (
        live(tmp_path, bot.url, environment={"HUACE_SITE_URL": address, "HUACE_PROXIES": "1"}) as server,
        running(request.param(tmp_path, port, f"127.0.0.1:{server.port}"), tmp_path),
    ):
        until(lambda: answer_of(address) == 200)
        yield server, address


@contextmanager
def running(proxy, folder):
    command, environment = proxy
    with open(folder / "proxy.log", "wb") as log:
        process = subprocess.Popen(command, env=os.environ | environment, stderr=log, stdout=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def answer_of(address):
    try:
        return httpx.get(f"{address}/healthz", verify=False, timeout=60).status_code
    except httpx.TransportError:
        return None


def logs_that_name(somebody, folder):
    logs = list(folder.rglob("*.log"))
    assert logs
    return [log.name for log in logs if somebody in log.read_text(errors="replace")]


@pytest.mark.parametrize("proxy", [caddy, nginx], ids=lambda proxy: proxy.__name__)
def test_no_log_keeps_what_an_address_holds_where_no_server_answers(proxy, tmp_path):
    if shutil.which(proxy.__name__) is None:
        pytest.skip(f"{proxy.__name__} is not installed here")
    port = free_port()
    address = f"https://localhost:{port}"
    with running(proxy(tmp_path, port, f"127.0.0.1:{free_port()}"), tmp_path):
        until(lambda: answer_of(address) in {502, 503})
        link = f"{address}/enter/door/?PROLIFIC_PID=somebody"
        refused = httpx.get(link, verify=False, headers={"Referer": link}, timeout=60)
        assert refused.status_code in {502, 503}
    assert logs_that_name("somebody", tmp_path) == []


def test_no_log_keeps_what_an_address_holds(site, tmp_path):
    """Distributions have nginx log every address."""
    _server, address = site
    link = f"{address}/enter/door/?PROLIFIC_PID=somebody"
    assert httpx.get(link, verify=False, headers={"Referer": link}).status_code == 404
    assert logs_that_name("somebody", tmp_path) == []


def browser(address):
    return httpx.Client(base_url=address, verify=False, follow_redirects=True)


def log_in(client, server, address):
    password = server.set_password("tester")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get("/login/").text)[1]
    form = {"csrfmiddlewaretoken": token, "username": "tester", "password": password}
    return client.post("/login/", data=form, headers={"Origin": address, "Referer": f"{address}/login/"})


async def talk(server, address, cookies):
    dialogue = server.open_dialogue("short")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Origin": address}
    url = address.replace("https", "wss") + f"/ws/dialogues/{dialogue}/"
    async with websockets.connect(url, ssl=context, additional_headers=headers) as socket:
        client = Client(socket)
        await client.exchange("你好")
        return client.heard[-1]


def test_people_log_in_and_talk_and_their_addresses_are_seen(site):
    server, address = site
    with browser(address) as client:
        forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http"}
        client.headers.update(forged)
        page = log_in(client, server, address)
        assert (page.status_code, page.url.path) == (200, "/campaigns/probe/testing/"), page.url
        assert {cookie.secure for cookie in client.cookies.jar} == {True}
        done = asyncio.run(talk(server, address, client.cookies))
        assert done["type"] == "reply.done"
        where = client.get("/account/sessions/").text
        assert "127.0.0.1" in where
        assert "203.0.113.9" not in where


def test_a_large_file_passes_and_a_larger_one_is_refused_by_the_proxy(site):
    _, address = site
    with browser(address) as client:
        assert client.post("/login/", content=b"x" * (3 << 20)).status_code in {403, 413}
        assert client.post("/login/", content=b"x" * (70 << 20)).status_code == 413
