"""The service behind a real proxy: nginx with the lines that docs/operation.md gives, HTTPS and compression."""

import contextlib
import re
import shutil
import socket
import subprocess
import time

import pytest
import requests
import trustme

from service import PATIENCE, ROOT, Service

# Another address of this machine than the proxy's.
CLIENT = "127.0.0.2"
# On Debian it is in a folder that not every path has.
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"

CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    client_body_buffer_size 1m;
    proxy_max_temp_file_size 0;
    gzip on;
    gzip_proxied any;
    gzip_min_length 1;
    gzip_types application/json;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/chain.pem;
        ssl_certificate_key {folder}/key.pem;
        {location}
    }}
}}
"""


def documented_location(upstream):
    """The lines of the documentation, with another address of the service."""
    page = (ROOT / "docs" / "operation.md").read_text()
    location = re.search(r"^```\n(location / \{.*?^\})\n```$", page, re.MULTILINE | re.DOTALL)
    assert location, "docs/operation.md shows no nginx configuration"
    return re.sub(r"proxy_pass http://[^;]+;", f"proxy_pass {upstream};", location[1])


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def nginx(upstream, folder):
    """Runs nginx over HTTPS before the service; gives its address and the authority to trust."""
    authority = trustme.CA(key_type=trustme.KeyType.ECDSA)
    certificate = authority.issue_cert("127.0.0.1", key_type=trustme.KeyType.ECDSA)
    certificate.private_key_pem.write_to_path(folder / "key.pem")
    for pem in certificate.cert_chain_pems:
        pem.write_to_path(folder / "chain.pem", append=True)
    authority.cert_pem.write_to_path(folder / "authority.pem")
    port = free_port()
    text = CONFIGURATION.format(folder=folder, port=port, location=documented_location(upstream))
    (folder / "nginx.conf").write_text(text)
    process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=PATIENCE):
                break
            assert process.poll() is None, (folder / "error.log").read_text()
            time.sleep(0.05)
        yield f"https://127.0.0.1:{port}", str(folder / "authority.pem")
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


class FromAddress(requests.adapters.HTTPAdapter):
    """Connects from an address that is not the proxy's."""

    def init_poolmanager(self, *arguments, **settings):
        super().init_poolmanager(*arguments, source_address=(CLIENT, 0), **settings)


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """A service that trusts the nginx before it, and a session that talks to that nginx."""
    with Service("--trusted-proxies", "127.0.0.1") as service:
        with nginx(service.url, tmp_path_factory.mktemp("nginx")) as (address, authority):
            session = requests.Session()
            session.trust_env = False
            session.mount("https://", FromAddress())
            session.verify = authority
            form = {"grant_type": "client_credentials"}
            client = service.client()
            token = session.post(f"{address}/v1/oauth/token", form, auth=tuple(client), timeout=PATIENCE)
            assert token.status_code == 200, token.text
            session.headers["Authorization"] = f"Bearer {token.json()['access_token']}"
            yield service, session, address, client


def test_a_change_by_the_weakened_tag_of_a_compressing_proxy_succeeds(behind):
    _, session, address, _ = behind
    made = session.post(
        f"{address}/v1/incidents", json={"title": "Behind a proxy", "description": "x" * 500}, timeout=PATIENCE
    )
    assert made.status_code == 201, made.text
    url = address + made.headers["Location"]
    read = session.get(url, headers={"Accept-Encoding": "gzip"}, timeout=PATIENCE)
    assert read.headers["Content-Encoding"] == "gzip"
    tag = read.headers["ETag"]
    assert tag.startswith('W/"v1-'), "nginx weakens the tag of what it compresses"

    again = session.get(url, headers={"If-None-Match": tag, "Accept-Encoding": "gzip"}, timeout=PATIENCE)
    assert (again.status_code, again.content) == (304, b"")
    changed = session.patch(url, json={"source": "proxy"}, headers={"If-Match": tag}, timeout=PATIENCE)
    assert changed.status_code == 200, changed.text
    late = session.patch(url, json={"source": "late"}, headers={"If-Match": tag}, timeout=PATIENCE)
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")


def test_the_service_knows_the_clients_address_and_scheme(behind):
    _, session, address, client = behind
    # Nginx appends the address that it sees; what the client claims before it is not believed.
    answer = session.post(
        f"{address}/v1/oauth/token",
        {"grant_type": "client_credentials", "client_id": client.id, "client_secret": "bwk_wrong"},
        headers={"Authorization": None, "X-Forwarded-For": "203.0.113.9"},
        timeout=PATIENCE,
    )
    assert answer.status_code == 401
    assert "Strict-Transport-Security" in answer.headers, "the service knows that the client spoke HTTPS"
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        listed = session.get(f"{address}/v1/clients/{client.id}/refusals", timeout=PATIENCE).json()["data"]
        if listed:
            break
        time.sleep(0.05)
    assert listed[0]["address"] == CLIENT, listed


def test_a_large_body_passes(behind):
    _, session, address, _ = behind
    made = session.post(
        f"{address}/v1/incidents", json={"title": "Large", "description": "x" * 60_000}, timeout=PATIENCE
    )
    assert made.status_code == 201, made.text


def test_deleting_many_passes_with_its_body(behind):
    _, session, address, _ = behind
    deleted = session.delete(f"{address}/v1/incidents", json={"ids": [999]}, timeout=PATIENCE)
    assert (deleted.status_code, deleted.json()) == (200, {"deleted_count": 0, "not_found": ["INC-0999"]})
