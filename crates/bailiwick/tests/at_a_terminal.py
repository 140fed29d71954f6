"""Runs a command at a terminal of its own, types lines into it, and prints what stood on the screen.

    at_a_terminal.py LINES COMMAND…     LINES with line breaks between; each is typed when the command asks, with ": "
"""

import os
import pty
import sys
import termios
import time

lines, command = sys.argv[1].split("\n"), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
screen = b""
while True:
    try:
        read = os.read(terminal, 1024)
    except OSError:  # The command has ended.
        break
    if not read:
        break
    screen += read
    if lines and screen.endswith(b": "):
        # It asks before it turns the terminal's echo off; no person types so fast.
        deadline = time.monotonic() + 600
        while termios.tcgetattr(terminal)[3] & termios.ECHO and time.monotonic() < deadline:
            time.sleep(0.01)
        os.write(terminal, lines.pop(0).encode() + b"\n")
print(screen.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
