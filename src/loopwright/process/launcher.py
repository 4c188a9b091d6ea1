"""The first program in the sandbox: gives up what rights are left, starts the agent, and is its way to our proxy.

    launcher USER FOLDER SOCKET [PORT=HOST:PORT …] -- argv …

With a USER (a number; 0: stay who we are) it becomes that one for good. argv starts in FOLDER. On each PORT of the
sandbox's own loopback it listens and hands what comes to the proxy's SOCKET; with a HOST, the proxy is asked for a line
to there first. It ends with argv's exit code, 128 + N after signal N, and with it ends everything in the sandbox.
"""
# Little is imported: this is a part of every start.
# ruff: noqa: SIM105

from __future__ import annotations

import os
import signal
import socket
import sys
import threading

_CHUNK = 65_536
_PATIENCE = 64
_ANSWER_LIMIT = 4096
_MOST_LINES = 256
_FREE = threading.Semaphore(_MOST_LINES)


def become(user: int) -> None:
    """Be an ordinary user from here on, without a way back."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def listen(port: int) -> list[socket.socket]:
    """Listen on the sandbox's own loopback; without IPv6 where there is none."""
    listeners = [socket.create_server(("127.0.0.1", port), backlog=_PATIENCE)]
    try:
        listeners.append(socket.create_server(("::1", port), family=socket.AF_INET6, backlog=_PATIENCE))
    except OSError:
        pass
    return listeners


def serve(listener: socket.socket, proxy: str, host: str) -> None:
    """Take all who come, each to a line of its own."""
    while True:
        caller, _ = listener.accept()
        _FREE.acquire()
        threading.Thread(target=connect, args=(caller, proxy, host), daemon=True).start()


def connect(caller: socket.socket, proxy: str, host: str) -> None:
    """Join one caller to the proxy, until both have hung up."""
    try:
        with caller, socket.socket(socket.AF_UNIX) as line:
            line.connect(proxy)
            if host and not asked_for(line, host):
                return
            back = threading.Thread(target=pump, args=(line, caller), daemon=True)
            back.start()
            pump(caller, line)
            back.join()
    except OSError:
        pass
    finally:
        _FREE.release()


def asked_for(line: socket.socket, host: str) -> bool:
    """Ask the proxy for a line to a host; say whether it gave one."""
    line.sendall(f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n") and len(answer) < _ANSWER_LIMIT:
        if not (byte := line.recv(1)):
            return False
        answer += byte
    return answer.split(b" ")[1:2] == [b"200"]


def pump(source: socket.socket, target: socket.socket) -> None:
    """Carry bytes one way until their end, and pass that on."""
    try:
        while chunk := source.recv(_CHUNK):
            target.sendall(chunk)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def run(argv: list[str]) -> int:
    """Start the program, with the signals that are ignored here back to normal, and wait for its end."""
    normal = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ]
    try:
        child = os.posix_spawnp(argv[0], argv, os.environ, setsigmask=[], setsigdef=normal)
    except OSError as error:
        os.write(2, f"can't start `{argv[0]}` in the sandbox: {error.strerror}\n".encode(errors="replace"))
        return 127
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code >= 0 else 128 - code


def main(words: list[str]) -> int:
    """Do what the command line says."""
    import seccomp  # type: ignore[import-not-found]  # beside this file, and not in a package there

    end = words.index("--")
    user, folder, proxy, *ports = words[:end]
    if int(user):
        become(int(user))
    seccomp.confine()
    os.chdir(folder)
    for port, _, host in (word.partition("=") for word in ports):
        for listener in listen(int(port)):
            threading.Thread(target=serve, args=(listener, proxy, host), daemon=True).start()
    return run(words[end + 1 :])


def run_arguments() -> None:
    """Run, and end without waiting for lines that are still open."""
    os._exit(main(sys.argv[1:]))
