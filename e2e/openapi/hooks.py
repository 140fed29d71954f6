"""What schemathesis needs to know of the service: how to authenticate, and the rules that no schema can express."""

import functools
import itertools
import os
import re

import requests
import schemathesis

URL = os.environ["BASE_URL"]
CLIENT = (os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
THROTTLED = {
    "/v1/oauth/token",
    "/v1/oauth/revoke",
    "/v1/oauth/introspect",
    "/v1/session",
    "/v1/invitations/accept",
    "/v1/reset-links/use",
}
PASSWORD = "correct horse battery"
fresh = itertools.count(1)


def another_address():
    """Each request comes from an address of its own, as far as the service knows: what fails from one address has to
    wait there, and here nearly everything fails, so that soon nothing but 429 would be seen."""
    number = next(fresh)
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    return {"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}


def ask(method, path, **what):
    """A request that prepares the tests and must succeed."""
    answer = requests.request(method, URL + path, timeout=600, headers=another_address() | what.pop("headers", {}), **what)
    answer.raise_for_status()
    return answer.json()


def tokens(**parameters):
    """Tokens of a client that may do everything."""
    return ask("POST", "/v1/oauth/token", data={"grant_type": "client_credentials"} | parameters, auth=CLIENT)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@functools.cache
def client_to_change():
    """A client for the tests to change: the client that tests with its own scopes and secrets must keep them."""
    new = {"name": "siem", "scopes": "incidents:read"}
    return ask("POST", "/v1/clients", json=new, headers=bearer(tokens()["access_token"]))["client_id"]


@schemathesis.auth(refresh_interval=600).skip_for(path_regex="^/v1/(oauth/|session$)")
class ClientCredentials:
    """A client's token; it lives 15 minutes, and is replaced after 10 or when it was refused."""

    def get(self, case, context):
        return tokens()["access_token"]

    def set(self, case, data, context):
        case.headers.update(bearer(data))


@schemathesis.auth(refresh_interval=600).apply_to(path="/v1/session", method=["GET", "DELETE"])
class Session:
    """The session of a person, who is invited again each time: the tests end sessions, and remove people too."""

    def get(self, case, context):
        email = f"ada-{next(fresh)}@fuzz.example"
        new = {"name": "Ada", "email": email, "role": "viewer"}
        link = ask("POST", "/v1/invitations", json=new, headers=bearer(tokens()["access_token"]))["link"]
        ask("POST", "/v1/invitations/accept", json={"token": link.partition("#")[2], "password": PASSWORD})
        who = {"email": email, "password": PASSWORD, "organization_id": os.environ["ORGANIZATION_ID"]}
        return ask("POST", "/v1/session", json=who)["token"]

    def set(self, case, data, context):
        case.headers.update(bearer(data))


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.path in THROTTLED:
        case.headers.update(another_address())
    # A method that is not the operation's is to be refused, not a header that has all the length it may have.
    if case.method.lower() != case.operation.method.lower():
        for name in ("If-Match", "If-None-Match"):
            if len(str(case.headers.get(name))) > 10_000:
                del case.headers[name]
    # A good Idempotency-Key stands for one request only, so each request gets its own.
    key = case.headers.get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = f"{key.strip(chr(34))[:200]}-{next(fresh)}"
    if case.path_parameters.get("id") == CLIENT[0]:
        case.path_parameters["id"] = client_to_change()
    # Which names `fields` of an export takes depends on `format`: columns or members.
    if case.query and is_positive(case):
        case.query.pop("fields", None)
    # Ids, credentials and tokens cannot be guessed; every second good request has some, so that it gets further.
    if not is_positive(case) or next(fresh) % 2:
        return
    if case.path.startswith("/v1/organizations/{id}"):
        case.path_parameters["id"] = os.environ["ORGANIZATION_ID"]
    if case.path.startswith("/v1/clients/{id}"):
        case.path_parameters["id"] = client_to_change()
    if case.path.startswith("/v1/clients") and isinstance(case.body, dict) and case.body.get("scopes"):
        case.body["scopes"] = "incidents:read"
    if case.path.startswith("/v1/oauth/") and isinstance(case.body, dict):
        case.body.update(client_id=CLIENT[0], client_secret=CLIENT[1])
        for member, kind in {"token": "access_token", "refresh_token": "refresh_token"}.items():
            if isinstance(case.body.get(member), str):
                case.body[member] = tokens()[kind]


# Faults that depend on the register, on the clock, or on other members of the same body.
RULES = {
    "conflict",
    "cursor",
    "date_in_future",
    "date_order",
    "duplicate",
    "duplicate_cycle",
    "kind_mismatch",
    "link_to_itself",
    # The text of a redaction, which does not occur.
    "nothing_to_redact",
    # `me`, sent by the client that tests.
    "not_a_person",
    # What the status of an incident allows.
    "not_in_status",
    # What the kind of a note allows.
    "not_of_kind",
    # How much an incident has already.
    "notes_too_large",
    "proposal_too_large",
    # What a template says of its own items.
    "template",
    "too_many_notes",
    "too_many_tags",
    "unknown_document",
    "unknown_evaluation",
    "unknown_group",
    "unknown_incident",
    "unknown_item",
    "unknown_option",
    "unknown_risk",
    "unknown_task",
    "unknown_tag",
    "unknown_user",
}
# The same where the code alone does not tell: pointer and code.
RULES_AT = {
    # A default is one of the item's own options, and no longer than the item's own limit.
    (r"#/items/\d+/default", "too_long"),
    # A document has items or a template, and an import files or policies of the library, which has these.
    ("#/(items|files)", "too_few"),
    (r"#/library/\d+", "enum"),
    # The text of a version or of a proposal.
    ("version", "format"),
    # Whom a request means names the role, the group or the members; a client records what was signed on paper.
    ("#/(role|group|users|on_paper)", "required"),
    # What a file says is no schema's business.
    (r"#/(files|uploads)/\d+(/.*)?", r"\w+"),
    # A day that there is, and the tag of a language.
    ("#/(operation/)?(effective_date|next_review_date|language)", "format"),
    # Whether an item takes line breaks is in `multiline`.
    (r"#/items/\d+/default", "control_character"),
    (r"#/\d+/value", "control_character"),
    # What the other rating, or the service's own journal and clock, allows.
    ("#/target", "range"),
    # How many levels the scale of the organization has.
    (r"#/(.*/)?(likelihood|impact)", "range"),
    ("as_of", "range"),
    # So many steps that a series would have.
    ("from", "range"),
    # A range that ends before it begins.
    (r"(\w+_)?to", "range"),
    ("#/expires_date", "range"),
    ("as_of_seq", "range"),
    # Prose has at most 64 KiB, and a schema counts characters.
    (r"#/.*(description|guidance|text|notes?|default|value|template|resolution_summary|status_reason)", "too_long"),
    ("#/(summary|root_cause|contributing_factors|impact|went_well|lessons)", "too_long"),
    # What publishing a review needs.
    ("#/(summary|root_cause)", "required"),
    # A severity and its reasoning are sent together.
    ("#/severity(_reasoning)?", "required"),
    # What a step in the life of an incident needs.
    ("#/(reason|resolution_reason|responded_date|duplicate_of)", "required"),
    # A pause ends in the future.
    ("#/hold/until", "range"),
    # One role or several are sent; a change takes neither away.
    ("#/roles?", "required"),
    # The time zones that there are.
    ("(#/)?time_zone", "format"),
    # Which incidents a bulk operation changes is said in one of two ways, and the filters are those of the list.
    ("#/filter", "unknown_field"),
    ("#/ids", "required"),
    ("#/filter/.*", "(enum|format|range|duplicate)"),
    # The parameters and the orders of a saved view are those of its list.
    ("#/filter/.*", "(blank|too_long|unknown_field)"),
    ("#/filter", "too_long"),
    ("#/sort", "(enum|unknown_field)"),
    ("#/operation/external_ref", "unknown_field"),
    # Tags of many documents are put on and taken off one by one.
    ("#/operation/tags", "read_only"),
    ("#/operation/(role|group|users)", "required"),
    # What an item prints in all its places.
    ("#/(items|from)", "too_long"),
    ("#/operation/hold/until", "range"),
    # Which letters a domain may have, and how long it is as DNS has it.
    ("#/(.*/)?email", "(format|too_long)"),
    # The length of a password counts in the form NFKC.
    ("#/(new|password)", "(too_short|too_long)"),
    # What a URL is: a schema's `uri` takes other schemes, and names and passwords in it.
    ("#/to/url", "format"),
    # Each kind of link goes with some types only.
    ("#/kind", "enum"),
    # A text is needed unless a target is redacted as a whole.
    ("#/text", "required"),
    # A text that is the mark itself, or a reason that repeats it.
    ("#/(text|reason)", "format"),
    # The scopes that there are: later versions have more, which a generated client of this one is to take.
    ("#/scopes", "enum"),
    ("#/scopes", "required"),
    # What a spreadsheet has, and what was asked about it.
    (r"#(/content)?", "(format|too_long)"),
    (r"#/(sheet|header_rows(/\d+)?|columns/\d+/(index|field)|answers/\d+/(id|answer))", "(enum|range|duplicate)"),
    ("#/(accept_proposals|skip_wrong)", "required"),
    # The day on which an acceptance or an exception ends lies ahead.
    ("#/until", "range"),
    # The risk's state decides whether a reason is wanted.
    ("#/status_reason", "required"),
    # A review that is due is moved by a review only.
    ("#/(operation/)?next_review_date", "read_only"),
}


def is_of_a_rule(fault):
    pointer = fault.get("pointer") or fault.get("parameter")
    return fault["code"] in RULES or any(
        re.fullmatch(code, fault["code"]) and re.fullmatch(pattern, pointer) for pattern, code in RULES_AT
    )


@schemathesis.check
def what_the_schema_allows_is_refused_by_a_rule_only(ctx, response, case):
    """Replaces `positive_data_acceptance`, which checks the status only."""
    # 413: the largest values that the schema allows, together, are more than a body may have.
    if not is_positive(case) or response.status_code not in (400, 422) or case.path.startswith("/v1/oauth/"):
        return
    problem = response.json()
    faults = problem.get("errors", [])
    if not faults or not all(map(is_of_a_rule, faults)):
        raise AssertionError(f"the schema allows what the service refuses: {response.text[:1000]}")
