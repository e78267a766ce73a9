"""Runs a command on a terminal of its own, as a shell in a window would, and does there what the first argument lists.

Each step waits for words of the program, then types something, sends a signal, or closes the window:
`[{"after": "ready", "type": "\\u0003"}, {"after": "closing", "signal": 15}, {"after": "ready", "close": true}]`.
The last line that is written is `status exit N` or `status signal N`.
"""

import json
import os
import pty
import select
import sys

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])

output = ""
seen = 0
is_open = True


def read():
    """Everything that is there now."""
    global output, is_open
    while is_open and select.select([terminal], [], [], 0)[0]:
        try:
            shown = os.read(terminal, 65536)
        except OSError:  # Nobody has the other end open any more.
            shown = b""
        if not shown:
            is_open = False
            os.close(terminal)
        output += shown.decode(errors="replace")


status = None
while status is None:
    select.select([terminal] if is_open else [], [], [], 0.02)
    read()
    while steps and (found := output.find(steps[0]["after"], seen)) >= 0:
        step = steps.pop(0)
        seen = found + len(step["after"])
        if "type" in step:
            if not is_open:
                continue
            os.write(terminal, step["type"].encode())
        elif "signal" in step:
            os.kill(pid, step["signal"])
        else:
            is_open = False
            os.close(terminal)
    ended, how = os.waitpid(pid, os.WNOHANG)
    if ended:
        status = how
read()
print(output)
code = os.waitstatus_to_exitcode(status)
print(f"status signal {-code}" if code < 0 else f"status exit {code}", flush=True)
