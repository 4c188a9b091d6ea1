"""The socket that is listened on."""

from __future__ import annotations

import pytest

from loopwright.errors import SetupError
from loopwright.http.server import listen


def test_a_port_that_is_taken_is_named() -> None:
    """Two can't listen on one port, and the second is told what to do."""
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(SetupError, match=f"`127.0.0.1:{port}` can't be listened on") as error:
            listen("127.0.0.1", port)
    assert "--port" in error.value.hint


def test_a_host_that_is_none_is_named() -> None:
    """A name that leads nowhere is an error with that name in it."""
    with pytest.raises(SetupError, match="`no such host:1`"):
        listen("no such host", 1)
