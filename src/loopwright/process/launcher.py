"""The first program in the sandbox: gives up what rights are left, starts the agent, and is its way to our proxy.

    launcher USER FOLDER SOCKET [PORT=HOST:PORT …] -- argv …

With a USER (a number; 0: stay who we are) it becomes that one for good. argv starts in FOLDER. On each PORT of the
sandbox's own loopback it listens and hands what comes to the proxy's SOCKET; with a HOST, the proxy is asked for a line
to there first. It ends with argv's exit code, 128 + N after signal N, and with it ends everything in the sandbox.
"""
# Little is imported: this is a part of every start.
# ruff: noqa: SIM105

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]
import _socket as socket
import os
import sys

_WAITING = 64
_IGNORED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ)


def become(user: int) -> None:
    """Be an ordinary user from here on, without a way back."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def listen(port: int) -> list[int]:
    """Listen on the sandbox's own loopback, without IPv6 where there is none; give the sockets' numbers."""
    listeners = [listener(socket.AF_INET, ("127.0.0.1", port))]
    try:
        listeners.append(listener(socket.AF_INET6, ("::1", port)))
    except OSError:
        pass
    return listeners


def listener(family: int, address: tuple[str, int]) -> int:
    """Listen at an address; give the socket's number."""
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.bind(address)
        made.listen(_WAITING)
    except OSError:
        made.close()
        raise
    return made.detach()


def spawn(argv: list[str]) -> int:
    """Start the program, with the signals that are ignored here back to normal; 0 where it can't be."""
    try:
        return os.posix_spawnp(argv[0], argv, os.environ, setsigmask=[], setsigdef=_IGNORED)
    except OSError as error:
        os.write(2, f"can't start `{argv[0]}` in the sandbox: {error.strerror}\n".encode(errors="replace"))
        return 0


def main(words: list[str]) -> int:
    """Do what the command line says."""
    end = words.index("--")
    user, folder, proxy, *ports = words[:end]
    ways = [(port, host) for port, _, host in (word.partition("=") for word in ports)]
    listening = [(number, host) for port, host in ways for number in listen(int(port))]
    if int(user):
        become(int(user))
    os.chdir(folder)
    os.environ["PWD"] = folder  # bubblewrap has set it to where we began, and some believe it more than the system
    if not (child := spawn(words[end + 1 :])):
        return 127
    if listening:
        import carrier  # type: ignore[import-not-found]  # beside this file, and not in a package there

        for number, host in listening:
            carrier.begin(number, proxy, host)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code >= 0 else 128 - code


def run_arguments() -> None:
    """Run, and end without waiting for lines that are still open."""
    os._exit(main(sys.argv[1:]))
