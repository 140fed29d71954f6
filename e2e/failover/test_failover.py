"""Three processes behind nginx on PostgreSQL with Patroni: what was acknowledged outlives every leader, once.

In asynchronous mode it need not, and then everybody says so. Prints how long writes were away.
"""

import os
import shutil
import signal
import time

import pytest

from cluster import Cluster, until
from processes import Load, Processes, proxy

pytestmark = pytest.mark.timeout(3600)


@pytest.fixture(scope="module", autouse=True)
def tools():
    missing = [tool for tool in ("patroni", "etcd") if not shutil.which(tool)]
    if missing:
        pytest.fail(f"{' and '.join(missing)} missing (Debian: patroni, etcd-server)")


class Faults:
    """Does harm under load, and prints for how long nothing was acknowledged."""

    def __init__(self, cluster, processes, load, capsys):
        self.cluster, self.processes, self.load, self.capsys = cluster, processes, load, capsys
        self.heads = []

    def meet(self, name, harm, repair=lambda: None):
        self.load.until_more()
        self.heads.append(self.processes.head())
        since = time.monotonic()
        harm()
        until("another one leads", self.cluster.leader)
        self.load.until_more()
        pause = self.load.longest_pause(since)
        with self.capsys.disabled():
            print(f"\nfailover: {name}: nothing was acknowledged for {pause:.1f} s", end="", flush=True)
        repair()
        self.cluster.until_whole()
        self.load.until_more()


def test_in_strict_synchronous_mode_nothing_is_lost(tmp_path, capsys):
    with Cluster(3, synchronous=True) as cluster, Processes(cluster.url) as processes:
        first, *others = cluster.nodes
        with proxy(processes, tmp_path) as address, Load(processes, address) as load:
            faults = Faults(cluster, processes, load, capsys)
            cluster.switch_to(first)
            cluster.until_whole()
            faults.meet("the first host of the URL, which leads, is frozen", first.freeze, first.thaw)
            killed = cluster.leader()
            faults.meet("the leader is killed with all its processes", killed.kill, killed.start)
            standby = next(node for node in cluster.nodes if node.state().get("sync_standby"))
            faults.meet("an orderly switchover", lambda: cluster.switch_to(standby))
        load.check()
        with capsys.disabled():
            told = ", ".join(f"{count} times {status}" for status, count in load.repeated.items())
            print(f"\nfailover: {len(load.acknowledged)} acknowledged, 0 lost, 0 doubled; repeated: {told}")
        for head in [*faults.heads, processes.head()]:
            processes.all[0].run("journal", "verify", "--organization", processes.organization, "--expect", head)
        for process in processes.all:
            assert "went back" not in process.log(), process.log()
        doctor = processes.all[0].run("doctor")
        assert "a commit waits for the standbys" in doctor, doctor


def test_in_asynchronous_mode_a_loss_is_noticed(tmp_path, capsys):
    with Cluster(2, synchronous=False) as cluster, Processes(cluster.url) as processes:
        first, second = cluster.nodes
        cluster.switch_to(first)
        cluster.until_whole()
        doctor = processes.all[0].run("doctor")
        assert "commits wait for no standby" in doctor, doctor

        def declare(process, title):
            answer = processes.session().post(f"{process.url}/v1/incidents", json={"title": title, "description": ""}, timeout=600)
            return answer.status_code, answer.json().get("code")

        one, two, _ = processes.all
        until("it writes", lambda: declare(one, "kept")[0] == 201)
        cluster.until_whole()
        until("the standby has it", lambda: lag(cluster, first) == "0")
        # The leader's sender stands still: the standby receives nothing any more.
        first.signal(signal.SIGSTOP, only="walsender")
        for process in (one, two):
            assert declare(process, "lost") == (201, None)
        lost = processes.head()
        first.freeze()
        until("the standby leads", lambda: cluster.leader() is second)
        for process in (one, two):
            until("it is noticed", lambda: declare(process, "not written") == (503, "register_went_back"))
            ready = processes.session().get(f"{process.url}/readyz", timeout=600)
            assert ready.status_code == 503
            assert "What was acknowledged is missing" in process.log(), process.log()
        first.thaw()
        cluster.until_whole()
        assert declare(one, "not written") == (503, "register_went_back"), "the former leader is no way back"
        verify = ("journal", "verify", "--organization", processes.organization)
        assert "NOT VERIFIED" in one.fails(*verify, "--expect", lost)
        assert "was acknowledged, and is missing" in two.fails("doctor")
        assert processes.titles()["lost"] == 0

        one.end()
        one.start()
        assert declare(one, "after a restart")[0] == 201
        one.run(*verify)
        with capsys.disabled():
            print("\nfailover: in asynchronous mode 2 acknowledged writes were lost, and noticed", end="")


def lag(cluster, leader):
    sql = "SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)), 1) FROM pg_stat_replication"
    return cluster.psql(leader, sql)
