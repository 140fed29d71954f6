#!/usr/bin/env python3
"""A running service for tests: a fresh data folder, a free port, an organization, clients.

In Python:

    with Service("--refresh-grace-seconds", "0") as service:
        client = service.client("incidents:read incidents:write")
        token = service.token(client)

For programs in other languages it is a command, which starts a service, runs COMMAND and stops the service:

    e2e/service.py [--tls] [SETTING…] -- COMMAND…

COMMAND then finds in its environment BASE_URL, ORGANIZATION_ID, CLIENT_ID and CLIENT_SECRET (a client that may do
everything), and BAILIWICK and BAILIWICK_DATA, so that it can run the program itself. SETTINGs are flags of
`bailiwick serve`; variables of the environment whose name begins with BAILIWICK_E2E_ are passed on without the E2E_.
With --tls the service speaks HTTPS, and COMMAND trusts its authority.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import typing
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
PROGRAM = os.environ.get("BAILIWICK") or str(TARGET / "debug" / "bailiwick")
LOG = TARGET / "e2e" / "service.log"

# How many seconds a test waits for what must come: long enough for any machine, however busy.
PATIENCE = 600

SCOPES = (
    "incidents:read incidents:write incidents:declare incidents:delete incidents:override risks:read risks:write"
    " risks:delete tags:read tags:write documents:read documents:write documents:approve documents:acknowledge"
    " organizations:read organizations:write users:read users:admin clients:admin journal:read"
)


class Client(typing.NamedTuple):
    """An OAuth client's credentials."""

    id: str
    secret: str


class Service:
    """A service that runs between `start` and `stop`, or inside `with`."""

    def __init__(self, *settings, database=None, tls=False):
        self.settings = settings
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bailiwick-e2e-"))
        self.trust = self.make_certificate() if tls else {}
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "BAILIWICK_DATA": str(self.folder / "data"),
            "BAILIWICK_RATE_LIMIT": "0",
        }
        if database:
            self.environment["DATABASE_URL"] = database
        for name, value in os.environ.items():
            if name.startswith("BAILIWICK_E2E_"):
                self.environment[name.replace("E2E_", "")] = value
        self.process = None
        self.url = None
        self.organization = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def make_certificate(self):
        """Makes an authority and a certificate; gives the variables by which clients trust it."""
        import trustme

        authority = trustme.CA(key_type=trustme.KeyType.ECDSA)
        certificate = authority.issue_cert("127.0.0.1", "localhost", key_type=trustme.KeyType.ECDSA)
        root, chain, key = (self.folder / name for name in ("authority.pem", "chain.pem", "key.pem"))
        authority.cert_pem.write_to_path(root)
        certificate.private_key_pem.write_to_path(key)
        for pem in certificate.cert_chain_pems:
            pem.write_to_path(chain, append=True)
        self.settings = (*self.settings, "--tls-cert", str(chain), "--tls-key", str(key))
        # What OpenSSL, the Python package requests and Node.js look at.
        return dict.fromkeys(["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"], str(root))

    def start(self):
        """Starts the service and makes the organization."""
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", "--listen", "127.0.0.1:0", *self.settings],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.process.kill()
            self.stop()
        self.url = line.removeprefix("listening on ").strip()
        self.organization = self.command("organization", "create", "--name", "Example Ltd")["id"]

    def stop(self):
        """Stops the service as systemd does, and asserts that it ended with 0 and without an error in its log."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        self.process = None
        said = (self.folder / "log").read_text()
        shutil.rmtree(self.folder)
        LOG.parent.mkdir(parents=True, exist_ok=True)
        with LOG.open("a") as log:
            log.write(said)
        if code != 0 or " ERROR " in said or "panicked" in said:
            raise RuntimeError(f"the service ended with {code} and said:\n{said[-4000:]}")

    def command(self, *arguments):
        """Runs a command of the program and reads the JSON that it answers."""
        return json.loads(self.run(*arguments, "--json"))

    def run(self, *arguments):
        """Runs a command of the program and gives what it writes."""
        done = subprocess.run(
            [PROGRAM, *arguments], env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        if done.returncode != 0:
            raise RuntimeError(f"bailiwick {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def client(self, scopes=SCOPES, name="e2e"):
        """Makes a client of the organization."""
        made = self.command(
            "client", "create", "--organization", self.organization, "--name", name, "--scopes", scopes
        )
        return Client(made["client_id"], made["client_secret"])

    @property
    def token_url(self):
        """The token endpoint."""
        return f"{self.url}/v1/oauth/token"

    @property
    def revocation_url(self):
        """The revocation endpoint."""
        return f"{self.url}/v1/oauth/revoke"

    @property
    def introspection_url(self):
        """The introspection endpoint."""
        return f"{self.url}/v1/oauth/introspect"

    def token(self, client, **parameters):
        """A client's answer from the token endpoint."""
        form = {
            "grant_type": "client_credentials",
            "client_id": client.id,
            "client_secret": client.secret,
            **parameters,
        }
        body = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(self.token_url, body, timeout=PATIENCE) as answer:
            return json.load(answer)


def main(arguments):
    if "--" not in arguments:
        sys.exit(__doc__)
    at = arguments.index("--")
    settings = [setting for setting in arguments[:at] if setting != "--tls"]
    with Service(*settings, tls="--tls" in arguments[:at]) as service:
        client = service.client()
        environment = os.environ | service.trust | {
            "BASE_URL": service.url,
            "ORGANIZATION_ID": service.organization,
            "CLIENT_ID": client.id,
            "CLIENT_SECRET": client.secret,
            "BAILIWICK": PROGRAM,
            "BAILIWICK_DATA": service.environment["BAILIWICK_DATA"],
        }
        return subprocess.run(arguments[at + 1 :], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
