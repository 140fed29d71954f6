"""Fixtures: services that tests share."""

import pytest

from service import Service


@pytest.fixture(scope="session")
def service():
    """A service with the settings as they come, but that a spent refresh token gets no grace."""
    with Service("--refresh-grace-seconds", "0") as running:
        yield running


@pytest.fixture(scope="session")
def graceful():
    """A service with the settings as they come."""
    with Service("--refresh-grace-seconds", "300") as running:
        yield running


@pytest.fixture
def client(service):
    """A client that no other test has."""
    return service.client("incidents:read incidents:write risks:read")
