"""The published metadata is all that libraries need to know about the service."""

import time

import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc6750.errors import InsufficientScopeError, InvalidTokenError
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from joserfc import jwt
from joserfc.jwk import KeySet

from service import PATIENCE, Service

SCOPE = "incidents:read incidents:write"
# How the algorithm of each setting is called in a token.
ALGORITHMS = {"ES256": "ES256", "RS256": "RS256", "Ed25519": "EdDSA"}


@pytest.fixture(scope="module", params=ALGORITHMS)
def signed(request):
    """A service that signs with each of the algorithms."""
    with Service("--access-token-algorithm", request.param) as running:
        running.algorithm = ALGORITHMS[request.param]
        yield running


def discover(service):
    url = get_well_known_url(service.url, external=True)
    return AuthorizationServerMetadata(requests.get(url, timeout=PATIENCE).json())


def published_keys(service):
    return KeySet.import_key_set(requests.get(discover(service)["jwks_uri"], timeout=PATIENCE).json())


def verify(service, token, keys):
    """Verifies an access token as a gateway does; gives its claims."""
    read = jwt.decode(token, keys, algorithms=[service.algorithm])
    assert read.header["typ"] == "at+jwt"
    expected = {"iss": service.url, "aud": f"{service.url}/v1"}
    rules = {name: {"essential": True, "value": value} for name, value in expected.items()}
    jwt.JWTClaimsRegistry(**rules).validate(read.claims)
    return read.claims


def test_authlib_discovers_the_server(service, client, monkeypatch):
    if service.url.startswith("http://"):
        monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    metadata = discover(service)
    # The list is required, and empty where there is no authorization endpoint. Authlib takes empty for missing.
    assert metadata["response_types_supported"] == []
    AuthorizationServerMetadata(metadata | {"response_types_supported": ["none"]}).validate()
    assert metadata["issuer"] == service.url
    assert set(SCOPE.split()) <= set(metadata["scopes_supported"])
    with OAuth2Session(client.id, client.secret, scope=SCOPE, **metadata) as http:
        http.fetch_token()
        http.refresh_token()
        assert http.introspect_token(metadata["introspection_endpoint"]).json()["active"] is True
        assert http.revoke_token(metadata["revocation_endpoint"]).status_code == 200


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
def test_the_published_keys_verify_a_token(signed):
    client = signed.client(SCOPE)
    keys = published_keys(signed)
    claims = verify(signed, signed.token(client)["access_token"], keys)
    assert claims["sub"] == claims["client_id"] == client.id
    assert claims["scope"] == SCOPE
    assert claims["org"] == signed.organization


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
def test_a_rotation_does_not_disturb_a_verifier_with_cached_keys(signed):
    client = signed.client(SCOPE)
    kept = published_keys(signed)
    old = signed.token(client)["access_token"]
    first = jwt.decode(old, kept, algorithms=[signed.algorithm]).header["kid"]
    signed.run("keys", "rotate")
    until = time.monotonic() + PATIENCE
    while True:
        new = signed.token(client)["access_token"]
        # What was kept before the rotation knows the key that signs after it.
        verify(signed, new, kept)
        if jwt.decode(new, kept, algorithms=[signed.algorithm]).header["kid"] != first:
            break
        assert time.monotonic() < until, "the running service goes on with the old key"
        time.sleep(0.05)
    # The old token is good until it ends, here and at the gateway.
    verify(signed, old, published_keys(signed))
    answer = requests.get(f"{signed.url}/v1/incidents", headers={"Authorization": f"Bearer {old}"}, timeout=PATIENCE)
    assert answer.status_code == 200


class Gateway(JWTBearerTokenValidator):
    """Authlib's own resource server."""

    def __init__(self, service):
        super().__init__(service.url, f"{service.url}/v1")
        self.service = service

    def get_jwks(self):
        return published_keys(self.service)


def test_authlibs_resource_server_takes_our_tokens(service, client):
    gateway = Gateway(service)
    token = gateway.authenticate_token(service.token(client, scope="incidents:read")["access_token"])
    gateway.validate_token(token, ["incidents:read"], None)
    with pytest.raises(InsufficientScopeError):
        gateway.validate_token(token, ["risks:read"], None)


def test_authlibs_resource_server_takes_no_refresh_token(service, client):
    with pytest.raises(InvalidTokenError):
        Gateway(service).authenticate_token(service.token(client)["refresh_token"])


def test_the_challenge_of_the_api_leads_to_the_server(service):
    """RFC 9728: from a 401 to the resource's metadata, to the server's, to a token endpoint."""
    challenge = requests.get(f"{service.url}/v1/incidents", timeout=PATIENCE).headers["WWW-Authenticate"]
    resource = requests.get(challenge.split('resource_metadata="')[1].split('"')[0], timeout=PATIENCE).json()
    assert resource["resource"] == f"{service.url}/v1"
    [server] = resource["authorization_servers"]
    metadata = requests.get(get_well_known_url(server, external=True), timeout=PATIENCE).json()
    assert metadata["token_endpoint"] == service.token_url
