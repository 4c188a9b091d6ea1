"""The files of submodules, for clones that have none: read from what the user's repository holds of them."""

from __future__ import annotations

from pathlib import Path

from loopwright.run.git import Repository, call, clean_environment


def bring_submodules(repository: Repository, commit: str, target: Path) -> None:
    """Put the files of the checked-out submodules in place, without their history; the rest stay empty."""
    listed = repository.git("ls-tree", "-r", "-z", commit)
    for line in listed.split("\0"):
        if not line.startswith("160000 "):
            continue
        meta, path = line.split("\t", 1)
        source = repository.root / path
        if (source / ".git").exists():
            _write_files(source, meta.split()[2], target / path)


def _write_files(source: Path, commit: str, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    index = target.parent / f".{target.name}.index"
    blank = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
    environment = {**clean_environment(), **blank, "GIT_INDEX_FILE": str(index)}
    where = ["-C", str(source), f"--work-tree={target}"]
    try:
        if not call([*where, "read-tree", commit], environment=environment, check=False).returncode:
            call([*where, "checkout-index", "--all", "--force"], environment=environment, check=False)
    finally:
        index.unlink(missing_ok=True)
