"""Ports in the sandbox -> our proxy: takes who comes, and carries bytes both ways. A part of the launcher.

Imported once the program runs: what this needs takes longer to import than all else at the start.
"""
# Beside the launcher in the sandbox, and not in a package there.
# ruff: noqa: SIM105

from __future__ import annotations

import socket
import threading

_CHUNK = 65_536
_ANSWER_LIMIT = 4096
_FREE = threading.Semaphore(256)


def begin(listener: int, proxy: str, host: str) -> None:
    """Serve a listening socket, given by its number, from a thread of its own."""
    threading.Thread(target=serve, args=(socket.socket(fileno=listener), proxy, host), daemon=True).start()


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
