"""Commands that only start another."""

from __future__ import annotations

import pytest

from loopwright.text.started_by import started


@pytest.mark.parametrize(
    ("command", "inner"),
    [
        ("docker compose run --rm web pytest -q", "pytest -q"),
        ("docker compose -f a.yml exec -T web pytest", "pytest"),
        ("docker-compose exec web pytest", "pytest"),
        ("docker run -it -v a:b --rm image npm test", "npm test"),
        ("docker exec -u root web ./manage.py test", "./manage.py test"),
        ("kubectl -n shop exec pod-1 -c app -- pytest -q", "pytest -q"),
        ("ssh -p 2222 host pytest -q", "pytest -q"),
        ("nix develop .#x -c pytest", "pytest"),
        ("pdm run pytest", "pytest"),
        ("rye run pytest", "pytest"),
        ("conda run -n env pytest", "pytest"),
        ("hatch run pytest", "pytest"),
        ("uvx --from x pytest", "pytest"),
        ("uv run --extra dev pytest", "pytest"),
        ("coverage run --source a -m pytest", "pytest"),
        ("python3 -m coverage run manage.py test", "manage.py test"),
        ("npx -y jest", "jest"),
        ("mise exec node@20 -- npm test", "npm test"),
    ],
)
def test_what_is_started(command: str, inner: str) -> None:
    """The command within is found, whatever options stand before it."""
    found = started(command.split())
    assert found is not None
    assert " ".join(found[0]) == inner


@pytest.mark.parametrize(
    "command",
    [
        *(
            "docker ps",
            "docker compose up",
            "docker run image",
            "docker compose build web",
            "ssh host",
            "kubectl get x",
        ),
        *("pdm run test", "hatch run test:cov", "uv add pytest", "nix build", "coverage report", "pytest -q", ""),
    ],
)
def test_what_starts_nothing(command: str) -> None:
    """Other commands, and what the project has named itself, stay as they are."""
    assert started(command.split()) is None


def test_where() -> None:
    """What runs in a container or on a machine says in which."""
    assert started(["docker", "exec", "web", "pytest"]) == (("pytest",), ("docker", "web"))
    assert started(["uvx", "pytest"]) == (("pytest",), ())
