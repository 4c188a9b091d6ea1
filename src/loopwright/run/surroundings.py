"""What a run's surroundings are: the environment record of attempts and checks."""

from __future__ import annotations

import functools
import hashlib
import platform
import shutil
from pathlib import Path

from loopwright.process.tool import call
from loopwright.records.environment import Environment
from loopwright.records.profile import Profile, Role
from loopwright.run.dependencies import project_path

LOCK_FILES = (
    *("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "requirements.txt", "requirements.lock"),
    *("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"),
    *("Cargo.lock", "go.sum", "Gemfile.lock", "composer.lock"),
)


def environment(
    repository: Path, place: Path, profile: Profile, role: Role, agent_version: str, model: str = ""
) -> Environment:
    """Describe where something runs, and who is at work: `place` is the tree that it works on."""
    own = profile.part(role)
    return Environment(
        platform=f"{platform.system()} {platform.release()} {platform.machine()}",
        # The user's own: the copy in the place may have been replaced by the agent, and it is run to be asked.
        interpreter=_interpreter(project_path(repository, repository)),
        lock_hash=lock_hash(place),
        agent=own.agent,
        agent_version=agent_version,
        model=model or own.model,
        profile=profile.name,
        profile_hash=profile.hash,
    )


def lock_hash(place: Path) -> str:
    """Hash the lock files at the root of a tree; empty where there are none."""
    found = [place / name for name in LOCK_FILES if (place / name).is_file() and not (place / name).is_symlink()]
    if not found:
        return ""
    total = hashlib.sha256()
    for path in found:
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


@functools.cache
def _interpreter(path: str) -> str:
    """The Python that the project's programs would find, with its version."""
    program = shutil.which("python", path=path) or shutil.which("python3", path=path)
    if program is None:
        return ""
    command = [program, "-I", "-c", "import platform; print(platform.python_version())"]
    try:
        done = call(command, environment={"PATH": path}, limit_s=20, folder=Path("/"))
    except OSError:  # TimeoutError is one
        return program
    return f"{program} {done.stdout.decode(errors='replace').strip()}"
