"""Runs the commands that it reads, one JSON text a line, and answers each with its exit code and output."""

import json
import subprocess
import sys

for line in sys.stdin:
    done = subprocess.run(["bash", "-c", json.loads(line)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=1200)
    print(json.dumps([done.returncode, done.stdout]), flush=True)
