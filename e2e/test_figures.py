"""The figures of incidents against NumPy: percentiles by its default, on random lengths."""

import random
from datetime import datetime, timedelta, timezone

import numpy
import requests

SECOND = timedelta(seconds=1)


def test_percentiles_are_those_of_numpy(service):
    token = service.token(service.client("incidents:read incidents:write"))["access_token"]
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"
    incidents, lengths = f"{service.url}/v1/incidents", {}
    chance = random.Random(7)
    detected = datetime(2001, 5, 1, tzinfo=timezone.utc)
    for number in range(60):
        # From seconds to months, as real ones are; some are there more than once.
        length = round(10 ** chance.uniform(0, 6.5), chance.choice([0, 6]))
        if number % 9 == 0:
            length = 0
        severity = chance.choice(["low", "high"])
        body = {
            "title": f"Length {number}",
            "description": "",
            "detected_date": detected.isoformat(),
            "responded_date": (detected + length * SECOND).isoformat(),
        }
        created = session.post(incidents, json=body)
        assert created.status_code == 201, created.text
        address = f"{incidents}/{created.json()['id']}/severity"
        assert session.put(address, json={"severity": severity, "reason": "Known."}).status_code == 200
        lengths.setdefault(severity, []).append(length)
        detected += timedelta(hours=7)
    period = {"from": "2001-05-01T00:00:00Z", "to": "2001-06-01T00:00:00Z"}
    answer = session.get(f"{incidents}/metrics", params=period | {"group_by": "severity"}).json()
    assert answer["total"] == 60
    groups = {group["value"]: group for group in answer["groups"] if group["total"]}
    assert groups.keys() == lengths.keys()
    for found, expected in [(answer, sum(lengths.values(), [])), *((groups[it], lengths[it]) for it in lengths)]:
        figure = next(it for it in found["figures"] if it["figure"] == "time_to_respond")
        assert figure["n"] == len(expected)
        counted = numpy.maximum(expected, numpy.where(numpy.array(expected) == 0, 1, 0))
        for name, value in {
            "min_seconds": numpy.min(expected),
            "p50_seconds": numpy.percentile(expected, 50),
            "p90_seconds": numpy.percentile(expected, 90),
            "max_seconds": numpy.max(expected),
            "geometric_mean_seconds": numpy.exp(numpy.mean(numpy.log(counted))),
        }.items():
            assert numpy.isclose(figure[name], value, rtol=0, atol=2e-6), (name, figure[name], value)
