"""Fixtures: services that tests share."""

import pytest

from service import Service


@pytest.fixture(scope="session")
def service():
    """A service with the settings as they come, but that a spent refresh token gets no grace."""
    with Service("--refresh-grace-seconds", "0") as running:
        yield running
