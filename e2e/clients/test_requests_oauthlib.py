"""Requests-OAuthlib."""

import pytest
import requests
from oauthlib.oauth2 import BackendApplicationClient
from oauthlib.oauth2.rfc6749.errors import (
    InsecureTransportError,
    InvalidClientError,
    InvalidGrantError,
    InvalidScopeError,
)
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from service import PATIENCE

SCOPE = ["incidents:read", "incidents:write"]


@pytest.fixture(autouse=True)
def plain_http_is_allowed(service, monkeypatch):
    """The library's own switch for tests on loopback."""
    if service.url.startswith("http://"):
        monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


def session(client, scope=SCOPE, **more):
    return OAuth2Session(client=BackendApplicationClient(client_id=client.id, scope=scope), **more)


def fetch(http, service, client, method="basic"):
    # Without `include_client_id` the library authenticates by HTTP Basic.
    return http.fetch_token(service.token_url, client_secret=client.secret, include_client_id=method == "post")


def refresh(http, service, client, method="basic", **more):
    if method == "basic":
        more["auth"] = HTTPBasicAuth(client.id, client.secret)
    else:
        more |= {"client_id": client.id, "client_secret": client.secret}
    return http.refresh_token(service.token_url, **more)


def declare(http, service):
    return http.post(f"{service.url}/v1/incidents", json={"title": "By requests-oauthlib", "description": ""})


def test_plain_http_needs_the_librarys_switch(service, client, monkeypatch):
    if service.url.startswith("https://"):
        return
    monkeypatch.delenv("OAUTHLIB_INSECURE_TRANSPORT")
    with session(client) as http, pytest.raises(InsecureTransportError):
        fetch(http, service, client)


@pytest.mark.parametrize("method", ["basic", "post"])
def test_obtains_a_token_and_calls_the_api(service, client, method):
    with session(client) as http:
        token = fetch(http, service, client, method)
        assert token["scope"] == SCOPE
        assert declare(http, service).status_code == 201


def test_without_a_scope_it_gets_all_that_the_client_has(service, client):
    with session(client, scope=None) as http:
        token = fetch(http, service, client)
        assert token["scope"] == ["incidents:read", "incidents:write", "risks:read"]


@pytest.mark.parametrize("method", ["basic", "post"])
def test_refreshes(service, client, method):
    with session(client) as http:
        first = dict(fetch(http, service, client))
        second = refresh(http, service, client, method)
        assert second["refresh_token"] != first["refresh_token"]
        assert declare(http, service).status_code == 201


def test_refreshes_by_the_refresh_token_alone(service, client):
    with session(client) as http:
        fetch(http, service, client)
        http.refresh_token(service.token_url)
        assert declare(http, service).status_code == 201


def test_refreshes_by_itself_when_the_token_is_over(service, client):
    kept = []
    automatic = {
        "auto_refresh_url": service.token_url,
        "auto_refresh_kwargs": {"client_id": client.id, "client_secret": client.secret},
        "token_updater": kept.append,
    }
    with session(client, **automatic) as http:
        token = fetch(http, service, client)
        http.token = token | {"expires_at": 1}
        assert declare(http, service).status_code == 201
    assert len(kept) == 1


@pytest.mark.parametrize("method", ["basic", "post"])
def test_a_wrong_secret_is_invalid_client(service, client, method):
    wrong = client._replace(secret="bwk_wrong")
    with session(wrong) as http, pytest.raises(InvalidClientError) as refused:
        fetch(http, service, wrong, method)
    assert refused.value.description == "The client credentials are missing or not valid."


@pytest.mark.parametrize("scope", [["journal:read"], ["no:such"], ["incidents:read", "journal:read"]])
def test_a_scope_that_may_not_be_had_is_invalid_scope(service, client, scope):
    with session(client, scope=scope) as http, pytest.raises(InvalidScopeError):
        fetch(http, service, client)


def test_a_replayed_refresh_token_ends_the_family(service, client):
    with session(client) as http:
        spent = fetch(http, service, client)["refresh_token"]
        successor = refresh(http, service, client)["refresh_token"]
        for token in (spent, successor):
            with pytest.raises(InvalidGrantError):
                refresh(http, service, client, refresh_token=token)
        assert declare(http, service).status_code == 401


def test_revokes(service, client):
    with session(client) as http:
        token = fetch(http, service, client)["refresh_token"]
        # The library prepares the request, and leaves sending it to its user.
        url, headers, body = http._client.prepare_token_revocation_request(
            service.revocation_url, token, token_type_hint="refresh_token"
        )
        answer = requests.post(url, body, headers=headers, auth=HTTPBasicAuth(client.id, client.secret), timeout=PATIENCE)
        assert (answer.status_code, answer.json()) == (200, {})
        assert declare(http, service).status_code == 401
        with pytest.raises(InvalidGrantError):
            refresh(http, service, client)


def test_introspects(service, client):
    with session(client) as http:
        token = fetch(http, service, client)["access_token"]
        # The library has no function for it; its session sends it.
        auth = HTTPBasicAuth(client.id, client.secret)
        told = http.post(service.introspection_url, {"token": token}, auth=auth, withhold_token=True).json()
        assert told["active"] is True
        assert told["scope"] == " ".join(SCOPE)
