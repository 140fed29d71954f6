"""What schemathesis needs to know of the service: how it is let in, and which rules no schema can say."""

import itertools
import os
import re
import time

import requests
import schemathesis

CLIENT = (os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])


@schemathesis.auth(refresh_interval=600).skip_for(path_regex="^/v1/oauth/")
class ClientCredentials:
    """A token of a client that may do everything; it lives 15 minutes and is replaced after 10."""

    def get(self, case, context):
        for _ in range(30):
            answer = requests.post(
                os.environ["BASE_URL"] + "/v1/oauth/token",
                data={"grant_type": "client_credentials"},
                auth=CLIENT,
                timeout=60,
            )
            # Wrong credentials, which are tried here too, are throttled by address.
            if answer.status_code != 429:
                break
            time.sleep(int(answer.headers["Retry-After"]))
        answer.raise_for_status()
        return answer.json()["access_token"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


fresh = itertools.count(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    """A good Idempotency-Key stands for one request only, so each request gets its own."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = f"{key.strip(chr(34))[:200]}-{next(fresh)}"


# Faults that depend on the register, on the clock, or on other members of the same body.
RULES = {
    "conflict",
    "cursor",
    "date_in_future",
    "date_order",
    "duplicate",
    "kind_mismatch",
    "unknown_evaluation",
    "unknown_item",
    "unknown_option",
    "unknown_user",
}
# The same where the code alone does not tell: place and code.
RULES_AT = {
    # A default is one of the item's own options, and no longer than the item's own limit.
    (r"#/items/\d+/default", "too_long"),
    # What the other rating, or the service's own journal and clock, allows.
    ("#/target", "range"),
    ("as_of", "range"),
    ("as_of_seq", "range"),
    # Prose has at most 64 KiB, and a schema counts characters.
    (r"#/.*(description|guidance|text|note|default|value|severity_reasoning|status_reason)", "too_long"),
    # The risk's state decides whether a reason is wanted.
    ("#/status_reason", "required"),
}


def by_a_rule(fault):
    place = fault.get("pointer") or fault.get("parameter")
    return fault["code"] in RULES or any(
        code == fault["code"] and re.fullmatch(pattern, place) for pattern, code in RULES_AT
    )


@schemathesis.check
def what_the_schema_allows_is_refused_by_a_rule_only(ctx, response, case):
    """In the place of `positive_data_acceptance`, which knows statuses only."""
    is_positive = case.meta is not None and case.meta.generation.mode.is_positive
    # 413: the largest values that the schema allows, together, are more than a body may have.
    if not is_positive or response.status_code not in (400, 422) or case.path.startswith("/v1/oauth/"):
        return
    problem = response.json()
    faults = problem.get("errors", [])
    if not faults or not all(map(by_a_rule, faults)):
        raise AssertionError(f"the schema allows what the service refuses: {response.text[:1000]}")
