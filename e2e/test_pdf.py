"""PDF files against a validator of PDF/UA-1 (ISO 14289-1) that others wrote."""

import page
import requests


def test_the_policies_of_the_library_are_accessible_files(service_with_grace):
    service = service_with_grace
    token = service.token(service.client("documents:read documents:write"))["access_token"]
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"
    policies = [policy["slug"] for policy in session.get(f"{service.url}/v1/library").json()["policies"]]
    imported = session.post(f"{service.url}/v1/documents/import", json={"library": policies})
    assert imported.status_code in (200, 201), imported.text
    assert len(policies) >= 8
    for policy in policies:
        opened = session.post(f"{service.url}/v1/documents/{policy}/proposals")
        assert opened.status_code == 201, opened.text
        text = {"format": "pdf", "proposal": opened.json()["proposal"]}
        answer = session.get(f"{service.url}/v1/documents/{policy}/text", params=text)
        assert answer.status_code == 200, answer.text
        report = page.validate_pdf_bytes(answer.content, profile=page.ValidationProfile.PDF_UA_1)
        assert report.is_compliant, (policy, [failure.message for failure in report.failures])
        assert report.document.page_count > 2
