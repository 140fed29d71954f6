"""Several processes of the service on one database, the proxy before them, and clients that note what was acknowledged."""

import base64
import collections
import contextlib
import json
import re
import secrets
import shutil
import subprocess
import threading
import time

import requests

from cluster import free_port, until
from proxy import BEGINNING, NGINX
from service import PATIENCE, PROGRAM, ROOT, Service

WRITERS = 8
# Answers on which a client repeats its request with the same key, and what the proxy says while it finds no process.
REPEATED = {(503, "unavailable"), (503, "outcome_unknown"), (409, "in_progress"), (502, None), (504, None)}

CONFIGURATION = BEGINNING + """
    {upstream}
    server {{
        listen 127.0.0.1:{port};
        {location}
    }}
}}
"""


class Process(Service):
    """One of several processes: it has a folder of its own, and shares database, master key and address."""

    def __init__(self, database, master_key):
        super().__init__("--trusted-proxies", "127.0.0.1", database=database)
        self.environment["BAILIWICK_MASTER_KEY"] = master_key
        self.environment["BAILIWICK_PUBLIC_URL"] = "https://bailiwick.test"

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", "--listen", "127.0.0.1:0", *self.settings],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), self.log()
        self.url = line.removeprefix("listening on ").strip()

    def log(self):
        return (self.folder / "log").read_text()

    def end(self):
        """Stops it, whatever it has logged."""
        self.process.terminate()
        assert self.process.wait(timeout=PATIENCE) == 0, self.log()
        self.process.stdout.close()
        self.process = None

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait(timeout=PATIENCE)
            self.process.stdout.close()
        self.process = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def fails(self, *arguments):
        """Runs a command that must find a fault; what it prints."""
        done = subprocess.run(
            [PROGRAM, *arguments], env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 1, done.stdout + done.stderr
        return done.stdout


class Processes:
    """Three processes, an organization and a client of it."""

    def __init__(self, database, count=3):
        key = base64.b64encode(secrets.token_bytes(32)).decode()
        self.all = [Process(database, key) for _ in range(count)]

    def __enter__(self):
        try:
            for process in self.all:
                process.start()
            first = self.all[0]
            self.organization = first.command("organization", "create", "--name", "Example Ltd")["id"]
            for process in self.all:
                process.organization = self.organization
            client = first.client("incidents:read incidents:write journal:read")
            self.token = first.token(client)["access_token"]
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for process in self.all:
            process.stop()

    def session(self):
        session = requests.Session()
        session.trust_env = False
        session.headers["Authorization"] = f"Bearer {self.token}"
        # A client behind the proxy, which received it over HTTPS.
        session.headers["X-Forwarded-Proto"] = "https"
        return session

    def head(self):
        """The last entry of the journal, as an auditor notes it."""
        head = until("the head is read", lambda: read(self.session(), f"{self.all[0].url}/v1/journal/head"))
        return f"{head['seq']}:{head['hash']}"

    def titles(self):
        """How often each title is there."""
        found, session, address = collections.Counter(), self.session(), f"{self.all[0].url}/v1/incidents?limit=200"
        cursor = ""
        while cursor is not None:
            page = read(session, address + cursor)
            assert page, "it cannot be read"
            found.update(incident["title"] for incident in page["data"])
            cursor = f"&cursor={page['next_cursor']}" if page.get("next_cursor") else None
        return found


def read(session, url):
    """The body of a 200, and nothing otherwise."""
    with contextlib.suppress(requests.RequestException):
        answer = session.get(url, timeout=PATIENCE)
        if answer.status_code == 200:
            return answer.json()
    return None


def documented():
    """The upstream and the location that docs/operation.md shows for several processes."""
    page = (ROOT / "docs" / "operation.md").read_text()
    shown = re.search(r"^```\n(upstream bailiwick \{.*?^\})\n\n?(location / \{.*?^\})\n```$", page, re.MULTILINE | re.DOTALL)
    assert shown, "docs/operation.md shows no nginx configuration for several processes"
    return shown[1], shown[2]


@contextlib.contextmanager
def proxy(processes, folder):
    """Runs nginx before the processes; gives its address."""
    upstream, location = documented()
    addresses = iter(process.url.removeprefix("http://") for process in processes.all)
    upstream = re.sub(r"server [0-9.:]+", lambda _: f"server {next(addresses)}", upstream)
    # The scheme is the one between client and proxy; here a client says what it stands for.
    location = location.replace("$scheme", "$http_x_forwarded_proto")
    port = free_port()
    text = CONFIGURATION.format(folder=folder, port=port, upstream=upstream, location=location)
    (folder / "nginx.conf").write_text(text)
    process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        address = f"http://127.0.0.1:{port}"
        session = processes.session()
        until("the proxy passes requests", lambda: read(session, f"{address}/readyz"))
        yield address
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


class Load:
    """Clients that declare incidents without a pause, and repeat with the same key what was not acknowledged."""

    def __init__(self, processes, address):
        self.processes, self.address = processes, address
        self.acknowledged, self.unexpected = [], []
        self.repeated = collections.Counter()
        self.is_over = threading.Event()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.write, args=[writer]) for writer in range(WRITERS)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join(timeout=PATIENCE)

    def write(self, writer):
        session, number = self.processes.session(), 0
        while not self.is_over.is_set() and not self.unexpected:
            number += 1
            self.declare(session, f"{writer}-{number}-{secrets.token_hex(4)}")

    def declare(self, session, title):
        # What is not acknowledged in the end may be there or not.
        while not self.is_over.is_set():
            status, code = None, None
            with contextlib.suppress(requests.RequestException):
                answer = session.post(
                    f"{self.address}/v1/incidents",
                    json={"title": title, "description": ""},
                    headers={"Idempotency-Key": title},
                    timeout=PATIENCE,
                )
                status = answer.status_code
                with contextlib.suppress(json.JSONDecodeError):
                    code = answer.json().get("code")
            if status == 201:
                with self.lock:
                    self.acknowledged.append((time.monotonic(), title))
                return
            self.repeated[status, code] += 1
            if status is not None and (status, code) not in REPEATED:
                self.unexpected.append((status, code))
                return
            time.sleep(0.05)

    def until_more(self, count=200):
        """Waits until more was acknowledged."""
        before = len(self.acknowledged)
        until("writes are acknowledged", lambda: self.unexpected or len(self.acknowledged) >= before + count)
        assert not self.unexpected, self.unexpected

    def longest_pause(self, since):
        """For how long nothing was acknowledged, in seconds."""
        with self.lock:
            times = [since, *(at for at, _ in self.acknowledged if at > since)]
        return max(later - earlier for earlier, later in zip(times, times[1:]))

    def check(self):
        """What was acknowledged is there once; nothing else happened."""
        assert not self.unexpected, self.unexpected
        found = self.processes.titles()
        lost = [title for _, title in self.acknowledged if title not in found]
        doubled = [title for title, count in found.items() if count > 1]
        assert not lost and not doubled, f"lost {len(lost)}, doubled {len(doubled)}"
