"""PDF files against a validator of PDF/UA-1 (ISO 14289-1) that others wrote."""

import page
import requests
from service import SCOPES


def session_of(service, scopes):
    session = requests.Session()
    token = service.token(service.client(scopes))["access_token"]
    session.headers["Authorization"] = f"Bearer {token}"
    return session


def person_of(service, name, email, role):
    """A session of a person who was invited and signed in."""
    who = ("--organization", service.organization, "--name", name, "--email", email, "--role", role)
    token = service.command("user", "invite", *who)["link"].partition("#")[2]
    secret = {"password": "correct horse battery"}
    accepted = requests.post(f"{service.url}/v1/invitations/accept", json={"token": token, **secret})
    assert accepted.status_code == 200, accepted.text
    signed_in = requests.post(f"{service.url}/v1/session", json={"email": email, **secret})
    assert signed_in.status_code == 201, signed_in.text
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {signed_in.json()['token']}"
    return session


def validated(answer):
    report = page.validate_pdf_bytes(answer.content, profile=page.ValidationProfile.PDF_UA_1)
    assert report.is_compliant, (answer.url, [failure.message for failure in report.failures])
    return report


def test_the_policies_of_the_library_are_accessible_files(service_with_grace):
    service = service_with_grace
    session = session_of(service, "documents:read documents:write")
    policies = [policy["slug"] for policy in session.get(f"{service.url}/v1/library").json()["policies"]]
    imported = session.post(f"{service.url}/v1/documents/import", json={"library": policies})
    assert imported.status_code in (200, 201), imported.text
    assert len(policies) >= 8
    for policy in policies:
        opened = session.post(f"{service.url}/v1/documents/{policy}/proposals")
        assert opened.status_code == 201, opened.text
        text = {"format": "pdf", "proposal": opened.json()["number"]}
        answer = session.get(f"{service.url}/v1/documents/{policy}/text", params=text)
        assert answer.status_code == 200, answer.text
        assert validated(answer).document.page_count > 2


def test_who_has_acknowledged_a_document_is_an_accessible_file(service_with_grace):
    service, url = service_with_grace, f"{service_with_grace.url}/v1"
    writer = session_of(service, SCOPES)
    approver = person_of(service, "Piet Valk", "piet@example.org", "approver")
    document = {"slug": "printed-list", "title": "Clear desk #policy", "template": "Lock your screen."}
    assert writer.post(f"{url}/documents", json=document).status_code == 201
    policy = f"{url}/documents/printed-list"
    opened = writer.post(f"{policy}/proposals")
    assert opened.status_code == 201, opened.text
    proposal = f"{policy}/proposals/{opened.json()['number']}"
    submitted = writer.post(f"{proposal}/submit", json={"summary": "The first one."})
    assert submitted.status_code == 200, submitted.text
    text = {"sha256": submitted.json()["sha256"]}
    assert approver.post(f"{proposal}/approve", json=text).status_code == 200
    for number in range(80):
        person = {"name": f"$x$ @ref <lbl> {number}", "email": f"list-{number}@example.org", "role": "staff"}
        made = writer.post(f"{url}/users", json=person)
        assert made.status_code == 201, made.text
    asked = {"who": "all", "due_days": 7}
    assert writer.post(f"{policy}/versions/1/acknowledgement-requests", json=asked).status_code == 201
    paper = {**text, "on_paper": {"user": made.json()["id"], "file": "Folder #7"}}
    for session, body in [(approver, text), (writer, paper)]:
        given = session.post(f"{policy}/versions/1/acknowledgements", json=body)
        assert given.status_code == 201, given.text
    answer = writer.get(f"{policy}/acknowledgements/file?format=pdf")
    assert answer.status_code == 200, answer.text
    assert validated(answer).document.page_count > 2


def test_the_review_of_an_incident_is_an_accessible_file(service_with_grace):
    session = session_of(service_with_grace, "incidents:read incidents:write")
    url = f"{service_with_grace.url}/v1/incidents"
    incident = session.post(url, json={"title": "Phishing #panic()", "description": ""}).json()["id"]
    actions = [{"title": f"Train $team$ {number}", "due": "2030-04-01T09:00:00Z"} for number in range(50)]
    texts = {"summary": "# Mail\n\n| a | b |\n|---|---|\n| 1 | 2 |", "root_cause": "1. One\n2. Two[^a]\n\n[^a]: Note"}
    for state in ("draft", "published"):
        review = {**texts, "actions": actions, "state": state}
        assert session.patch(f"{url}/{incident}/review", json=review).status_code == 200
        answer = session.get(f"{url}/{incident}/review/file?format=pdf")
        assert answer.status_code == 200, answer.text
        assert validated(answer).document.page_count > 2
