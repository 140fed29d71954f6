"""The Debian package on a machine with a real systemd: install, use, harden, upgrade, remove. In this order."""

import pathlib
import re

import pytest

STATE = "/var/lib/bailiwick"
BACKUPS = "/var/backups/bailiwick"
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/backup.md"
# What systemd-analyze calls exposure, from 0 to 100; the unit has 11, most services of Debian more than 90.
EXPOSURE = 15
# The first one installs what packages are made with, from source.
pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def token(installed):
    """An organization and a client, made by the command line beside the running service, and the client's token."""
    begun = installed.json('bailiwickctl init --organization "Example Ltd" --name "Ada King" --email ada@example.org --json')
    assert begun["invitation"]["link"].startswith("http://127.0.0.1:8080/invitation#"), "where the service runs"
    client = installed.json('bailiwickctl client create --name probe --scopes "incidents:read incidents:write" --json')
    answer = installed.json(
        f"curl -sSf http://127.0.0.1:8080/v1/oauth/token -u {client['client_id']}:{client['client_secret']} -d grant_type=client_credentials"
    )
    return answer["access_token"]


def titles(machine, token):
    page = machine.json(f"curl -sSf http://127.0.0.1:8080/v1/incidents -H 'authorization: Bearer {token}'")
    return [incident["title"] for incident in page["data"]]


def must_be_served(machine):
    """A start is over when requests are answered, not earlier."""
    machine.run("curl -sSf http://127.0.0.1:8080/readyz || { journalctl -u bailiwick; exit 1; }")


def wait_until_served(machine):
    machine.run("for n in $(seq 6000); do curl -sf http://127.0.0.1:8080/readyz && exit; sleep 0.1; done; journalctl -u bailiwick; exit 1")


def test_the_package_says_what_it_needs_and_brings(package, machine):
    control = machine.run(f"dpkg-deb --field {package}")
    assert "Package: bailiwick\n" in control
    # Of libraries only the C library's and the compiler's: everything else is in the program.
    depends = re.search(r"^Depends: (.*)$", control, re.MULTILINE).group(1)
    assert {re.split(r"[ (|]", name.strip())[0] for name in depends.split(",")} - {"libgcc-s1"} == {"libc6", "systemd"}, depends
    files = machine.run(f"dpkg-deb --contents {package} | awk '{{print $1, $2, $6}}'").splitlines()
    assert "-rwxr-xr-x 0/0 ./usr/bin/bailiwick" in files
    for name in ["copyright", "changelog.Debian.gz", "changelog.gz", "operation.md", "bailiwick.cdx.json", "THIRD-PARTY.txt"]:
        assert f"-rw-r--r-- 0/0 ./usr/share/doc/bailiwick/{name}" in files, files
    for name in [
        "man/man1/bailiwick.1.gz", "man/man1/bailiwick-user-set-password.1.gz", "zsh/vendor-completions/_bailiwick",
        "bash-completion/completions/bailiwick", "bash-completion/completions/bailiwickctl",
        "fish/vendor_completions.d/bailiwick.fish",
    ]:
        assert f"-rw-r--r-- 0/0 ./usr/share/{name}" in files, files
    for name in ["bailiwick.service", "bailiwick-backup.service", "bailiwick-backup.timer"]:
        assert f"-rw-r--r-- 0/0 ./usr/lib/systemd/system/{name}" in files or f"-rw-r--r-- 0/0 ./lib/systemd/system/{name}" in files, files
    assert machine.run(f"dpkg-deb --info {package} conffiles") == "/etc/bailiwick/bailiwick.toml"


def test_it_is_linked_to_the_c_library_only(package, machine):
    machine.run(f"dpkg-deb --extract {package} /tmp/extracted")
    needed = machine.run("objdump -p /tmp/extracted/usr/bin/bailiwick | awk '/NEEDED/ {print $2}'").split()
    assert set(needed) <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}, needed


def test_installing_it_starts_it(installed):
    must_be_served(installed)
    assert installed.run("systemctl is-enabled bailiwick") == "enabled"
    assert installed.run("systemctl is-active bailiwick") == "active"
    assert installed.run("ps -o user= -C bailiwick") == "bailiwick"
    assert installed.run(f"stat -c '%U %a' {STATE} {STATE}/bailiwick.db {STATE}/master.key").splitlines() == [
        "bailiwick 700", "bailiwick 600", "bailiwick 600"]
    assert installed.run("stat -c '%U %G %a' /etc/bailiwick /etc/bailiwick/bailiwick.toml").splitlines() == [
        "root bailiwick 750", "root bailiwick 640"]


def test_the_unit_is_clean_and_hardened(installed):
    # It prints each line of the unit that systemd does not understand, and what it refers to that is not there.
    for unit in ["bailiwick.service", "bailiwick-backup.service", "bailiwick-backup.timer"]:
        assert installed.run(f"systemd-analyze verify /lib/systemd/system/{unit} 2>&1") == ""
    for unit in ["bailiwick.service", "bailiwick-backup.service"]:
        report = installed.run(f"systemd-analyze security --no-pager --threshold={EXPOSURE} {unit}")
        assert "Overall exposure level" in report, report


def test_it_is_started_again_for_as_long_as_its_database_is_away(installed):
    shown = installed.run("systemctl show --property StartLimitIntervalUSec,TimeoutStartUSec,Restart bailiwick")
    assert set(shown.splitlines()) == {"StartLimitIntervalUSec=0", "TimeoutStartUSec=infinity", "Restart=on-failure"}


def test_a_tab_completes_commands(installed):
    complete = "source {file}; COMP_WORDS=({name} user set); COMP_CWORD=2; _bailiwick {name} set user; echo ${{COMPREPLY[@]}}"
    for name in ["bailiwick", "bailiwickctl"]:
        file = f"/usr/share/bash-completion/completions/{name}"
        assert installed.run(complete.format(file=file, name=name)) == "set-password"


def test_the_running_process_is_confined(installed):
    pid = installed.run("systemctl show --property MainPID --value bailiwick")
    status = dict(line.split(":\t", 1) for line in installed.run(f"cat /proc/{pid}/status").splitlines() if ":\t" in line)
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2"), status
    for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]:
        assert int(status[name], 16) == 0, name
    inside = f"nsenter --target {pid} --mount"
    for path in ["/usr/bin/x", "/etc/x", "/var/x", "/home/x"]:
        code, output = installed.try_(f"{inside} touch {path}")
        assert code != 0 and "touch" in output, f"{path} can be written"
    installed.run(f"{inside} touch {STATE}/x && rm {STATE}/x")


def test_the_register_works_under_the_filter(installed, token):
    body = '{"title": "Dock door 4", "description": ""}'
    installed.run(f"curl -sSf http://127.0.0.1:8080/v1/incidents --json '{body}' -H 'authorization: Bearer {token}'")
    assert titles(installed, token) == ["Dock door 4"]
    assert "fault" not in installed.run("bailiwickctl doctor")
    assert installed.run("bailiwickctl journal verify") != ""


def test_a_change_carries_who_called_the_command_line(installed, token):
    first = installed.run("bailiwickctl journal export --organization 00000000-0000-0000-0000-000000000000 | grep organization.created")
    assert '"id":"cli:root"' in first, first
    installed.run("SUDO_USER=ada bailiwickctl organization update --trash-days 30")
    last = installed.run("bailiwickctl journal export | tail -n 1")
    assert '"id":"cli:ada"' in last, last


def members(machine, group):
    """The system calls of one of systemd's groups, and of those in it."""
    if not group.startswith("@"):
        return {group}
    # The first line is its name.
    lines = machine.run(f"systemd-analyze syscall-filter --no-pager {group}").splitlines()[1:]
    names = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    return {member for name in names for member in members(machine, name)}


def allowed(machine):
    """What the unit's filter lets through: the first line allows, one with ~ takes away."""
    names = set()
    for line in machine.run("grep ^SystemCallFilter= /lib/systemd/system/bailiwick.service").splitlines():
        groups = line.partition("=")[2]
        found = {member for group in groups.lstrip("~").split() for member in members(machine, group)}
        names = names - found if groups.startswith("~") else names | found
    return names


def test_every_system_call_is_one_that_the_filter_allows(installed, token):
    """A refused system call shows only when it is made, so the calls of a whole life of the service are checked."""
    filtered = allowed(installed)
    assert len(filtered) > 200
    installed.run("systemctl stop bailiwick")
    installed.run(
        "cd /tmp && (BAILIWICK_CONFIG=/etc/bailiwick/bailiwick.toml setpriv --reuid bailiwick --regid bailiwick --clear-groups "
        f"strace -f -qq -o {STATE}/calls /usr/bin/bailiwick serve --metrics-listen 127.0.0.1:9100 </dev/null >/dev/null 2>&1 &)"
    )
    wait_until_served(installed)
    assert titles(installed, token) == ["Dock door 4"]
    installed.run("curl -sSf http://127.0.0.1:9100/metrics >/dev/null; pkill -HUP -x bailiwick; sleep 0.2; pkill -TERM -x bailiwick")
    installed.run("for n in $(seq 6000); do pgrep -x bailiwick >/dev/null || exit 0; sleep 0.1; done; exit 1")
    calls = installed.run(f"cat {STATE}/calls; rm {STATE}/calls")
    installed.run("systemctl start bailiwick")
    must_be_served(installed)
    used = set(re.findall(r"^\d+ +(\w+)\(", calls, re.MULTILINE))
    assert {"execve", "fdatasync", "accept4"} <= used, used
    assert used - filtered == set()
    # MemoryDenyWriteExecute and RestrictAddressFamilies look at the arguments.
    assert not re.search(r"PROT_WRITE\|PROT_EXEC", calls)
    families = set(re.findall(r"\bsocket\((AF_\w+)", calls))
    assert families <= {"AF_INET", "AF_INET6", "AF_UNIX"}, families


def test_stopping_is_clean_and_a_reload_keeps_it_running(installed, token):
    pid = installed.run("systemctl show --property MainPID --value bailiwick")
    installed.run("systemctl reload bailiwick")
    assert installed.run("systemctl show --property MainPID --value bailiwick") == pid
    installed.run("systemctl stop bailiwick")
    assert installed.run("systemctl show --property Result --property ExecMainStatus bailiwick").splitlines() == [
        "Result=success", "ExecMainStatus=0"]
    installed.run("systemctl start bailiwick")
    must_be_served(installed)
    assert titles(installed, token) == ["Dock door 4"]


def test_a_crash_is_followed_by_a_start(installed, token):
    installed.run("systemctl kill --signal=KILL bailiwick; sleep 1.5")
    wait_until_served(installed)
    assert titles(installed, token) == ["Dock door 4"]


def written(start):
    """The commands of the block in docs/backup.md that begins so; here all is done as root."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    [block] = [block for block in blocks if block.startswith(start)]
    return "set -e\n" + block.replace("sudo ", "")


def backups(machine):
    return machine.run(f"ls {BACKUPS}").splitlines()


def test_backups_are_made_as_the_documentation_says(installed, token):
    assert installed.run(f"stat -c '%U %a' {BACKUPS}") == "bailiwick 700"
    assert installed.try_("systemctl is-enabled bailiwick-backup.timer")[1].strip() == "disabled"
    assert installed.try_("systemctl is-active bailiwick-backup.timer")[1].strip() == "inactive"
    assert "there is none" in installed.run("bailiwickctl doctor")
    installed.run(written("sudo bailiwickctl backup"))
    assert len(backups(installed)) == 1
    installed.run(written("sudo systemctl enable --now bailiwick-backup.timer"))
    assert installed.run("systemctl is-active bailiwick-backup.timer") == "active"
    # What the timer starts, under its confinement.
    installed.run("sleep 1; systemctl start bailiwick-backup || { journalctl -u bailiwick-backup; exit 1; }")
    assert len(backups(installed)) == 2
    assert installed.run(f"stat -c '%U %a' {BACKUPS}/*").splitlines() == ["bailiwick 700"] * 2
    assert "warning  backups" not in installed.run("bailiwickctl doctor")


def test_a_backup_is_restored_into_place_as_the_documentation_says(installed, token):
    body = '{"title": "After the backup", "description": ""}'
    installed.run(f"curl -sSf http://127.0.0.1:8080/v1/incidents --json '{body}' -H 'authorization: Bearer {token}'")
    installed.run(f"install -D -m 0600 {STATE}/master.key /safe/master.key")
    told = installed.run(written("sudo systemctl stop bailiwick"))
    assert "FAULT" not in told and "warning" not in told, told
    must_be_served(installed)
    assert titles(installed, token) == ["Dock door 4"]
    assert installed.run(f"stat -c '%U %a' {STATE} {STATE}/bailiwick.db {STATE}/master.key").splitlines() == [
        "bailiwick 700", "bailiwick 600", "bailiwick 600"]
    installed.run("bailiwickctl journal verify")
    # The broken register is still there.
    installed.run(f"test -s {STATE}-broken/bailiwick.db && rm -r {STATE}-broken /safe")


def test_an_upgrade_restarts_it_and_keeps_settings_and_data(installed, package, token):
    pid = installed.run("systemctl show --property MainPID --value bailiwick")
    installed.run("echo 'log_format = \"json\"' >>/etc/bailiwick/bailiwick.toml")
    installed.run(f"dpkg -i {package}")
    must_be_served(installed)
    assert installed.run("systemctl show --property MainPID --value bailiwick") != pid
    assert 'log_format = "json"' in installed.run("cat /etc/bailiwick/bailiwick.toml")
    assert titles(installed, token) == ["Dock door 4"]
    assert installed.run("stat -c '%U %G %a' /etc/bailiwick/bailiwick.toml") == "root bailiwick 640"


def test_removing_stops_it_and_purging_keeps_the_register(installed, package):
    installed.run("dpkg --remove bailiwick")
    code, _ = installed.try_("pgrep -x bailiwick")
    assert code == 1, "it still runs"
    assert installed.try_("systemctl is-active bailiwick-backup.timer")[1].strip() == "inactive"
    installed.run("test -f /etc/bailiwick/bailiwick.toml")
    told = installed.run("dpkg --purge bailiwick")
    assert f"{STATE} is kept" in told and f"{BACKUPS} are kept" in told, told
    installed.run(f"test -f {STATE}/bailiwick.db && test ! -e /etc/bailiwick")
    # Installed again it is there again.
    installed.run(f"dpkg -i {package}")
    must_be_served(installed)
    assert "Example Ltd" in installed.run("bailiwickctl organization list --json")


def test_a_package_that_was_never_used_leaves_nothing(installed):
    installed.run(f"systemctl stop bailiwick && rm -r {STATE} {BACKUPS} && mkdir {STATE} {BACKUPS} && dpkg --purge bailiwick")
    installed.run(f"test ! -e {STATE} && test ! -e {BACKUPS} && test ! -e /etc/bailiwick && test ! -e /usr/bin/bailiwick")
