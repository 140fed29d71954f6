"""Authlib, with each of the HTTP clients that it works with."""

import asyncio

import pytest
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client, OAuth2Client
from authlib.integrations.requests_client import OAuth2Session

SCOPE = "incidents:read incidents:write"
METHODS = ["client_secret_basic", "client_secret_post"]


@pytest.fixture(params=[OAuth2Session, OAuth2Client], ids=["requests", "httpx"])
def kind(request):
    """Authlib's client on one of the two HTTP libraries."""
    return request.param


def session(kind, service, client, method="client_secret_basic", **more):
    return kind(
        client.id,
        client.secret,
        scope=SCOPE,
        token_endpoint=service.token_url,
        token_endpoint_auth_method=method,
        revocation_endpoint_auth_method=method,
        **more,
    )


def declare(session, service):
    return session.post(f"{service.url}/v1/incidents", json={"title": "By authlib", "description": ""})


@pytest.mark.parametrize("method", METHODS)
def test_obtains_a_token_and_calls_the_api(kind, service, client, method):
    with session(kind, service, client, method) as http:
        token = http.fetch_token()
        assert token["token_type"] == "Bearer"
        assert token["expires_in"] == 900
        assert token["scope"] == SCOPE
        assert declare(http, service).status_code == 201


@pytest.mark.parametrize("method", METHODS)
def test_refreshes(kind, service, client, method):
    with session(kind, service, client, method) as http:
        first = dict(http.fetch_token())
        second = http.refresh_token()
        assert second["refresh_token"] != first["refresh_token"]
        assert second["access_token"] != first["access_token"]
        assert declare(http, service).status_code == 201
        # Requests may still be under way with the old one.
        http.token = first
        assert declare(http, service).status_code == 201


def test_refreshes_by_itself_before_a_call(kind, service, client):
    kept = []
    # With a leeway longer than a token lives, each call refreshes first.
    with session(kind, service, client, leeway=901, update_token=lambda token, **_: kept.append(token)) as http:
        http.fetch_token()
        for _ in range(3):
            assert declare(http, service).status_code == 201
    assert len({token["refresh_token"] for token in kept}) == 3


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_secret_is_invalid_client(kind, service, client, method):
    wrong = client._replace(secret=service.client(SCOPE).secret)
    with session(kind, service, wrong, method) as http, pytest.raises(OAuthError) as refused:
        http.fetch_token()
    assert refused.value.error == "invalid_client"
    assert refused.value.description == "The client credentials are missing or not valid."


@pytest.mark.parametrize("scope", ["journal:read", "no:such", "incidents:read journal:read"])
def test_a_scope_that_may_not_be_had_is_invalid_scope(kind, service, client, scope):
    with session(kind, service, client) as http, pytest.raises(OAuthError) as refused:
        http.fetch_token(scope=scope)
    assert refused.value.error == "invalid_scope"


def test_a_replayed_refresh_token_ends_the_family(kind, service, client):
    with session(kind, service, client) as http:
        spent = http.fetch_token()["refresh_token"]
        successor = http.refresh_token()["refresh_token"]
        for token in (spent, successor):
            with pytest.raises(OAuthError) as refused:
                http.refresh_token(refresh_token=token)
            assert refused.value.error == "invalid_grant"
        assert declare(http, service).status_code == 401


def test_a_lost_answer_and_parallel_refreshes_do_not_end_the_family(service_with_grace):
    """Ten workers that share a refresh token refresh at the same time; all go on with one successor."""

    async def workers():
        client = service_with_grace.client(SCOPE)
        shared = service_with_grace.token(client)

        async def refresh():
            async with session(AsyncOAuth2Client, service_with_grace, client, token=dict(shared)) as http:
                token = await http.refresh_token()
                return token["refresh_token"], (await declare(http, service_with_grace)).status_code

        return await asyncio.gather(*(refresh() for _ in range(10)))

    outcomes = asyncio.run(workers())
    assert len({refresh_token for refresh_token, _ in outcomes}) == 1
    assert [status for _, status in outcomes] == [201] * 10


@pytest.mark.parametrize("method", METHODS)
def test_revokes_the_access_token_alone(kind, service, client, method):
    with session(kind, service, client, method) as http:
        token = dict(http.fetch_token())
        answer = http.revoke_token(service.revocation_url, token["access_token"], token_type_hint="access_token")
        assert (answer.status_code, answer.json()) == (200, {})
        assert declare(http, service).status_code == 401
        http.refresh_token()
        assert declare(http, service).status_code == 201


@pytest.mark.parametrize("hint", ["refresh_token", None])
def test_revokes_the_refresh_token_and_all_of_its_family(kind, service, client, hint):
    with session(kind, service, client) as http:
        http.fetch_token()
        # Without a token the library revokes its own refresh token.
        assert http.revoke_token(service.revocation_url, token_type_hint=hint).status_code == 200
        assert declare(http, service).status_code == 401
        with pytest.raises(OAuthError) as refused:
            http.refresh_token()
        assert refused.value.error == "invalid_grant"


@pytest.mark.parametrize("method", METHODS)
def test_introspects_its_own_tokens(kind, service, client, method):
    with session(kind, service, client, method) as http:
        token = dict(http.fetch_token())
        for name in ("access_token", "refresh_token"):
            told = http.introspect_token(service.introspection_url, token[name], token_type_hint=name).json()
            assert told["active"] is True
            assert told["client_id"] == client.id
            assert told["scope"] == SCOPE
        http.revoke_token(service.revocation_url)
        for name in ("access_token", "refresh_token"):
            assert http.introspect_token(service.introspection_url, token[name]).json() == {"active": False}


def test_introspects_nothing_of_another_client(kind, service, client):
    token = service.token(service.client(SCOPE))["access_token"]
    with session(kind, service, client) as http:
        assert http.introspect_token(service.introspection_url, token).json() == {"active": False}
        assert http.revoke_token(service.revocation_url, token).status_code == 200
        http.token = {"access_token": token, "token_type": "Bearer"}
        assert declare(http, service).status_code == 201
