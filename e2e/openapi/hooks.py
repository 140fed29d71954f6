"""What schemathesis needs to know of the service: how it gets a token."""

import os

import requests
import schemathesis


@schemathesis.auth(refresh_interval=600)
class ClientCredentials:
    """A token of a client that may do everything; it lives 15 minutes and is replaced after 10."""

    def get(self, case, context):
        answer = requests.post(
            os.environ["BASE_URL"] + "/v1/oauth/token",
            data={"grant_type": "client_credentials"},
            auth=(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]),
            timeout=60,
        )
        answer.raise_for_status()
        return answer.json()["access_token"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
