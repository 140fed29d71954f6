"""PostgreSQL as it is run with automatic failover: Patroni's nodes on this machine, and the etcd that they agree by."""

import contextlib
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import requests

from service import PATIENCE

BIN = "/usr/lib/postgresql/15/bin"

# By the second version of etcd's protocol: by the third one Patroni 3.0.2 (Debian 12) takes the lock back without asking when
# it was frozen between reading and writing it, whoever leads meanwhile.
NODE = """
scope: bailiwick
name: {name}
restapi:
  listen: 127.0.0.1:{rest}
  connect_address: 127.0.0.1:{rest}
etcd:
  host: 127.0.0.1:{etcd}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    master_start_timeout: 0
    synchronous_mode: {synchronous}
    synchronous_mode_strict: {synchronous}
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 150
        shared_buffers: 32MB
        # Long enough for a node that was stopped to follow again.
        wal_keep_size: 256MB
  initdb:
    - encoding: UTF8
    - locale: C
postgresql:
  listen: 127.0.0.1:{port}
  connect_address: 127.0.0.1:{port}
  data_dir: {folder}/data
  bin_dir: {bin}
  pgpass: {folder}/pgpass
  authentication:
    superuser: {{username: postgres, password: {password}}}
    replication: {{username: replicator, password: {password}}}
    rewind: {{username: rewinder, password: {password}}}
  pg_hba:
    - host all all 127.0.0.1/32 md5
    - host replication replicator 127.0.0.1/32 md5
  parameters:
    unix_socket_directories: {folder}
    password_encryption: md5
"""


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def until(what, is_so, pause=0.1):
    """Waits until `is_so` gives something, and gives that."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = is_so()
        if found:
            return found
        time.sleep(pause)
    raise AssertionError(f"never: {what}")


def as_postgres(command):
    """PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return command
    return ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "env", "HOME=/tmp", *command]


def parents():
    """The parent of every process."""
    found = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            found[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    return found


class Node:
    """A machine with PostgreSQL and its Patroni."""

    def __init__(self, cluster, number):
        self.cluster, self.name = cluster, f"node{number}"
        self.port, self.rest = free_port(), free_port()
        self.folder = cluster.folder / self.name
        self.folder.mkdir()
        (self.folder / "patroni.yml").write_text(
            NODE.format(
                name=self.name,
                rest=self.rest,
                etcd=cluster.etcd_port,
                port=self.port,
                folder=self.folder,
                bin=BIN,
                password=cluster.password,
                synchronous=str(cluster.synchronous).lower(),
            )
        )
        cluster.give_to_postgres(self.folder)
        self.patroni = None

    def start(self):
        with (self.cluster.folder / f"{self.name}.log").open("ab") as log:
            command = as_postgres(["patroni", str(self.folder / "patroni.yml")])
            self.patroni = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", start_new_session=True)

    def state(self):
        """What its Patroni says of it; nothing while that is silent."""
        with contextlib.suppress(requests.RequestException):
            return requests.get(f"http://127.0.0.1:{self.rest}/patroni", timeout=2).json()
        return {}

    def processes(self):
        """All its processes, Patroni and PostgreSQL."""
        tops = {self.patroni.pid}
        with contextlib.suppress(OSError, ValueError):
            tops.add(int((self.folder / "data/postmaster.pid").read_text().split()[0]))
        known, found = parents(), {top for top in tops if pathlib.Path(f"/proc/{top}").exists()}
        while more := {child for child, parent in known.items() if parent in found} - found:
            found |= more
        return found

    def signal(self, number, only=""):
        """Sends a signal to all its processes, or to those of PostgreSQL whose title has a word."""
        for process in self.processes():
            with contextlib.suppress(OSError):
                if only in pathlib.Path(f"/proc/{process}/cmdline").read_text():
                    os.kill(process, number)

    def kill(self):
        """As if the power had failed."""
        self.signal(signal.SIGKILL)
        self.patroni.wait(timeout=PATIENCE)

    def freeze(self):
        """It accepts connections, and nothing else happens any more."""
        self.signal(signal.SIGSTOP)

    def thaw(self):
        self.signal(signal.SIGCONT)


class Cluster:
    """Nodes with one leader, between `with` and its end."""

    def __init__(self, nodes, synchronous):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bailiwick-failover-"))
        self.folder.chmod(0o755)
        self.password, self.synchronous = secrets.token_hex(16), synchronous
        self.etcd_port, self.etcd = free_port(), None
        self.nodes = [Node(self, number) for number in range(1, nodes + 1)]

    def give_to_postgres(self, folder):
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "postgres:postgres", folder], check=True)

    def __enter__(self):
        try:
            self.start_etcd()
            # The others copy the first one.
            self.nodes[0].start()
            until("there is a leader", self.leader)
            for node in self.nodes[1:]:
                node.start()
            self.until_whole()
            self.make_database()
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for node in self.nodes:
            if node.patroni:
                node.thaw()
                node.signal(signal.SIGKILL)
                node.patroni.wait(timeout=PATIENCE)
        if self.etcd:
            self.etcd.kill()
            self.etcd.wait(timeout=PATIENCE)
        shutil.rmtree(self.folder)

    def start_etcd(self):
        client, peer = f"http://127.0.0.1:{self.etcd_port}", f"http://127.0.0.1:{free_port()}"
        arguments = {
            "data-dir": self.folder / "etcd",
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": f"default={peer}",
        }
        with (self.folder / "etcd.log").open("wb") as log:
            command = ["etcd", "--enable-v2", *(f"--{name}={value}" for name, value in arguments.items())]
            self.etcd = subprocess.Popen(command, stdout=log, stderr=log)
        until("etcd answers", lambda: is_well(f"{client}/health"))

    def psql(self, node, sql):
        """Runs a statement as the superuser; what it prints, and nothing if the node goes away."""
        environment = {**os.environ, "PGPASSWORD": self.password}
        url = f"host=127.0.0.1 port={node.port} user=postgres dbname=postgres connect_timeout=5"
        done = subprocess.run(
            [f"{BIN}/psql", "-XAtqc", sql, url], env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
        return done.stdout.strip() if done.returncode == 0 else None

    def make_database(self):
        leader = self.leader()
        for sql in [f"CREATE ROLE bailiwick LOGIN PASSWORD '{self.password}'", "CREATE DATABASE bailiwick OWNER bailiwick"]:
            assert self.psql(leader, sql) is not None, sql

    @property
    def url(self):
        """All nodes, in their order."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgres://bailiwick:{self.password}@{hosts}/bailiwick?connect_timeout=2"

    def leader(self):
        """The node that leads, as Patroni sees it: its `/primary` is what HAProxy asks."""
        for node in self.nodes:
            if node.patroni and is_well(f"http://127.0.0.1:{node.rest}/primary"):
                return node
        return None

    def until_whole(self):
        """Waits until each node runs and follows, and as many confirm commits as shall."""

        def is_whole():
            states = [node.state() for node in self.nodes]
            followers = [state for state in states if state.get("role") == "replica" and state.get("state") == "running"]
            leader = self.leader()
            if not leader or len(followers) != len(self.nodes) - 1:
                return False
            streaming = self.psql(leader, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")
            confirming = [state for state in followers if state.get("sync_standby")]
            return streaming == str(len(followers)) and (confirming or not self.synchronous)

        until("every node follows", is_whole, pause=0.5)

    def switch_to(self, node):
        """An orderly change of the leader; in synchronous mode only to the node that confirms commits."""
        leader = self.leader()
        if leader is not node:
            body = {"leader": leader.name, "candidate": node.name}
            url = f"http://127.0.0.1:{leader.rest}/switchover"
            until("it changes", lambda: requests.post(url, json=body, timeout=PATIENCE).status_code == 200, pause=1)
            until("it leads", lambda: self.leader() is node)


def is_well(url):
    with contextlib.suppress(requests.RequestException):
        return requests.get(url, timeout=2).status_code == 200
    return False
