"""A store to bring sessions into."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.registry import kinds
from loopwright.store import open_store
from loopwright.store.store import Store


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("store")
    with open_store(folder / "store.sqlite", kinds) as opened:
        yield opened
