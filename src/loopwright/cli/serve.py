"""`loopwright serve`: take what other programs send."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType

import click

from loopwright.cli.options import where
from loopwright.errors import UsageError

_NEEDS_KEY = "set LOOPWRIGHT_KEY or name a file with --key-file; others on the network could write here without one"


@click.command()
@where
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; another needs a key.")
@click.option("--port", type=click.IntRange(0, 65535), default=4318, show_default=True, help="0: any that is free.")
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="Another name by which it is reached.")
@click.option("--key-file", type=click.Path(path_type=Path), help="A file with the key (default: LOOPWRIGHT_KEY).")
@click.option("--no-content", is_flag=True, help="Of spans, store the structure and no text.")
def serve(
    repo: Path,
    home: str | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    key_file: Path | None,
    no_content: bool,
) -> None:
    """Take traces (POST /v1/traces) and finished runs (POST /api/agent-runs) of other programs; tell GET /metrics.

    A key is sent as `Authorization: Bearer KEY`, and never in a URL.
    """
    from loopwright.http.app import make_app  # FastAPI takes its time
    from loopwright.http.auth import Access, is_loopback, read_key
    from loopwright.http.prometheus import Exposition
    from loopwright.http.server import listen
    from loopwright.http.server import serve as run
    from loopwright.taking import make_recording, make_traces
    from loopwright.wire import open_record

    key = read_key(os.environ.get("LOOPWRIGHT_KEY", ""), key_file)
    if not key and not is_loopback(host):
        raise UsageError(f"to listen on `{host}` needs a key", _NEEDS_KEY)
    with closing(open_record(repo, home, _say)) as record, closing(listen(host, port)) as listening:
        access = Access(host, tuple(name.lower() for name in names), key)
        traces = make_traces(record, key, content=not no_content)
        told = Exposition(record.store.outcomes.sums, record.store.measured.counts)
        app = make_app(access, traces, make_recording(record, key), _say, told.text)
        place, number = listening.getsockname()[:2]
        shown = f"[{place}]" if ":" in place else place
        _say(f"listening on http://{shown}:{number}, {'with a key' if key else 'without a key'}; Ctrl-C ends it")
        _until_ended(lambda: run(app, listening))


def _say(text: str) -> None:
    click.echo(text, err=True)


def _until_ended(work: Callable[[], None]) -> None:
    """Take a signal for what it is here: the way in which a server ends."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, end)
    try:
        work()
    except KeyboardInterrupt:
        _say("ended")
