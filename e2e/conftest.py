"""Fixtures: services that tests share."""

import pytest

from service import Service


@pytest.fixture(scope="session", params=["http", "https"])
def service(request):
    """A service with the default settings, but without a grace period for used refresh tokens.

    Each test runs twice: over plain HTTP on loopback, with the switches by which libraries allow it; and over TLS,
    where none is needed.
    """
    with pytest.MonkeyPatch.context() as environment, Service(
        "--refresh-grace-seconds", "0", tls=request.param == "https"
    ) as running:
        for name, value in running.trust.items():
            environment.setenv(name, value)
        yield running


@pytest.fixture(scope="session")
def service_with_grace():
    """A service with a long grace period for used refresh tokens."""
    with Service("--refresh-grace-seconds", "300") as running:
        yield running


@pytest.fixture
def client(service):
    """A client that no other test has."""
    return service.client("incidents:read incidents:write risks:read")
