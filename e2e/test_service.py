"""The service that the other tests use is there."""

import json
import urllib.request

from service import PATIENCE


def test_the_service_answers_and_gives_tokens(service):
    with urllib.request.urlopen(f"{service.url}/readyz", timeout=PATIENCE) as answer:
        assert answer.status == 200
    token = service.token(service.client("incidents:read"))
    assert token["scope"] == "incidents:read"
    request = urllib.request.Request(
        f"{service.url}/v1/incidents", headers={"Authorization": f"Bearer {token['access_token']}"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        assert "data" in json.load(answer)
