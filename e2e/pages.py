"""Runs the code on a page of the documentation, from top to bottom, as a reader would who pastes it.

- ```sh blocks run in one shell: what one sets, the next one has.
- ```python, ```js and ```ts blocks are programs with the shell's exported variables in their environment.
- A ```json or ```text block right after one of these is what it writes to standard output. Values that differ from
  run to run (UUIDs, times, tokens) must only have the same form.
- `<!-- in another terminal -->` before a block leaves it running; `<!-- not run: … -->` leaves it out; and
  `<!-- again until it is so -->` repeats it until it writes what is shown, for what takes a moment.

The page's address, http://127.0.0.1:8080, becomes a free port's.
"""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import typing

from service import PATIENCE, PROGRAM, ROOT, TARGET

ADDRESS = "127.0.0.1:8080"
FENCE = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*?) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
STRICT = "--noEmit --strict --target esnext --module nodenext --types node --skipLibCheck".split()
# Values that differ in each run, by their form.
FORMS = [
    (re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"), "UUID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"), "TIME"),
    (re.compile(r"eyJ(?:…|[\w-]+\.[\w-]+\.[\w-]+)"), "TOKEN"),
    (re.compile(r"bw[ck]_(?:\w+|…)"), "CREDENTIAL"),
]


class Block(typing.NamedTuple):
    """A block of code on a page, and what it writes if the page shows that."""

    line: int
    note: str
    language: str
    code: str
    output: str | None


def blocks(page):
    """The blocks of code on a page, in order."""
    text = (ROOT / page).read_text()
    found = []
    end = 0
    for match in FENCE.finditer(text):
        if match["language"] in ("json", "text"):
            # It belongs to the code that it stands right under.
            if found and text[end : match.start()].strip() == "":
                found[-1] = found[-1]._replace(output=match["text"])
        else:
            line = text.count("\n", 0, match.start("text")) + 1
            found.append(Block(line, match["note"] or "", match["language"], match["text"], None))
        end = match.end()
    return found


def without_generated_values(text):
    """The text with the forms of values that each run generates, instead of the values."""
    for pattern, form in FORMS:
        text = pattern.sub(form, text)
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()


class Reader:
    """A reader who follows a page in an empty folder."""

    def __init__(self, page, folder):
        self.page = page
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.running = []
        self.environment = {
            "HOME": str(folder),
            "PATH": f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}",
            "BAILIWICK_LISTEN": self.address,
            # For `python -c` in a shell, and what a reader of the page has installed.
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        # Node looks for packages where the program is.
        (folder / "node_modules").symlink_to(TARGET / "e2e" / "node" / "node_modules")
        (folder / "package.json").write_text('{"type": "module"}')

    def follow(self):
        """Runs every block of the page."""
        try:
            for block in blocks(self.page):
                self.run(block)
        finally:
            for process in self.running:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=PATIENCE)

    def run(self, block):
        if block.note.startswith("not run"):
            return
        where = f"{self.page}, line {block.line}"
        code = block.code.replace(ADDRESS, self.address)
        if block.note == "in another terminal":
            output = self.leave_running(code)
        else:
            output = self.finish(block.language, code, where)
        if block.output is None:
            return
        shown = without_generated_values(block.output.replace(ADDRESS, self.address))
        until = time.monotonic() + (PATIENCE if block.note == "again until it is so" else 0)
        while without_generated_values(output) != shown and time.monotonic() < until:
            time.sleep(0.1)
            output = self.finish(block.language, code, where)
        assert without_generated_values(output) == shown, f"{where} writes:\n{output}"

    def leave_running(self, code):
        """Starts it and waits for its first line."""
        process = subprocess.Popen(
            ["bash", "-c", f"exec {code}"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.running.append(process)
        return process.stdout.readline()

    def finish(self, language, code, where):
        """Runs it to its end and gives what it wrote."""
        kept = self.folder / "environment"
        if language == "sh":
            # `set -a` stands for the one shell that a reader has: what is set is there in the next block.
            command = ["bash", "-euc", f"set -a\n{code}\nenv -0 >{kept}"]
        else:
            file = self.folder / f"snippet.{language}"
            file.write_text(code)
            command = ["python" if language == "python" else "node", str(file)]
            if language == "ts":
                # Node only strips the types.
                self.call(["node", "node_modules/typescript/bin/tsc", *STRICT, file.name], where)
        output = self.call(command, where)
        if language == "sh":
            variables = (variable.split("=", 1) for variable in kept.read_text().split("\0") if variable)
            self.environment = dict(variables)
        return output

    def call(self, command, where):
        """Runs a command that must succeed, and gives what it wrote."""
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, f"{where} ends with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout
