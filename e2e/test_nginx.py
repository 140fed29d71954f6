"""The service behind a real proxy: nginx with the lines that docs/operation.md gives, HTTPS and compression."""

import time

import pytest
import requests

from proxy import documented_location, free_port, nginx
from service import PATIENCE, Service

# Another address of this machine than the proxy's.
CLIENT = "127.0.0.2"


class FromAddress(requests.adapters.HTTPAdapter):
    """Connects from an address that is not the proxy's."""

    def init_poolmanager(self, *arguments, **settings):
        super().init_poolmanager(*arguments, source_address=(CLIENT, 0), **settings)


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """A service that trusts the nginx before it, and a session that talks to that nginx."""
    with Service("--trusted-proxies", "127.0.0.1") as service:
        lines = documented_location("location / {", service.url)
        with nginx(free_port(), lines, tmp_path_factory.mktemp("nginx")) as (address, authority):
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
