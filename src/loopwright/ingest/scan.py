"""Files -> the sessions in them, brought into the store: only what is new is read."""

from __future__ import annotations

import gc
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from loopwright.errors import LoopwrightError, StoreError
from loopwright.guard.redact import Masker
from loopwright.ingest.copies import compare
from loopwright.ingest.files import Found
from loopwright.ingest.kept import Kept
from loopwright.ingest.lines import watched
from loopwright.ingest.masking import Masking
from loopwright.ingest.ports import Format, SessionStore
from loopwright.ingest.reading import TooLarge
from loopwright.ingest.session import Name, Observing
from loopwright.ingest.sniffing import head_of
from loopwright.records.identity import new_id
from loopwright.records.session import Observation, Source

READER = 4
"""What an older reader has read is read again."""
_EVENTS_AT_ONCE = 5000
_WEIGHT_AT_ONCE = 8_000_000
"""So many events are written together, or so many characters of them."""


@dataclass
class Scanned:
    """What a scan came to."""

    runs: list[str] = field(default_factory=list)
    """The sessions that were found, new or not."""
    new: int = 0
    changed: int = 0
    files: int = 0
    others: int = 0
    """Files that hold no session."""
    notes: list[str] = field(default_factory=list)
    """What could not be read, and why."""
    bared: int = 0
    """Sessions whose text an earlier scan had stored, and this one has removed."""
    with_text: int = 0
    """Sessions of earlier scans whose text stays, although none is wanted: their files were not among these."""


Told = Callable[[int, int], None]
"""Called with how many bytes of how many are done."""


class Scan:
    """Brings the sessions of many files into a store."""

    def __init__(
        self, store: SessionStore, formats: Mapping[str, Format], masker: Masker, *, content: bool = True
    ) -> None:
        self._store, self._formats, self._masker, self._content = store, formats, masker, content
        self._readers = zlib.crc32(" ".join([str(READER), *sorted(formats)]).encode()) >> 1
        """What holds no session for these formats may hold one for others."""
        self._known = dict(store.session_runs())
        self._sources = dict(store.sources())
        self._batch: list[Observation] = []
        self._done: list[Source] = []
        self._waiting = self._weight = 0

    def scan(self, files: Sequence[Found], told: Told = lambda done, of: None) -> Scanned:
        """Read what is new or has changed; the sessions of all files are in what it gives."""
        fresh = sorted((found for found in files if not self._is_read(found)), key=lambda found: found.mtime_ns)
        scanned, with_text = Scanned(files=len(files)), self._with_text()
        for found in fresh:
            self._sources[str(found.path)] = self._looked_at(found)
        done, size = 0, sum(found.size for found in fresh)
        told(0, size)
        with _no_collection():
            for key, paths in self._groups(fresh).items():
                whole = sum(self._sources[path].size for path in paths)
                with watched(_Within(done, whole, lambda read: told(min(read, size), size))):
                    self._observe(key, paths, scanned)
                done += whole
                told(min(done, size), size)
            self._write()
            compare(self._store, list(self._known.values()))
        told(size, size)
        if not self._content:
            scanned.with_text = len(self._with_text())
            scanned.bared = len(with_text) - scanned.with_text
        return self._summed(files, scanned)

    def _with_text(self) -> set[str]:
        return {run_id for source in self._sources.values() if source.has_content for run_id in source.runs}

    def _is_read(self, found: Found) -> bool:
        source = self._sources.get(str(found.path))
        if source is None or (source.size, source.mtime_ns) != (found.size, found.mtime_ns):
            return False
        if source.reader != (READER if source.format else self._readers):
            return False
        return not source.format or source.has_content == self._content  # who wants no text wants it gone as well

    def _looked_at(self, found: Found) -> Source:
        source = Source(str(found.path), found.size, found.mtime_ns, has_content=self._content)
        try:
            head = head_of(found.path)
        except OSError as error:
            return replace(source, note=str(error))  # it is tried again
        name = next((name for name, kind in self._formats.items() if kind.recognises(head)), "")
        return replace(source, format=name, reader=READER if name else self._readers)

    def _groups(self, fresh: Sequence[Found]) -> dict[tuple[str, str], list[str]]:
        """Give the files of each session, also those that have not changed since they were read."""
        groups: dict[tuple[str, str], list[str]] = defaultdict(list)
        for found in fresh:
            source = self._sources[str(found.path)]
            for session_id in self._sessions_in(source):
                groups[source.format, session_id].append(source.path)
        earlier = self._files_of_runs() if groups else {}
        for key, paths in groups.items():
            paths += [path for path in earlier.get(self._known.get(self._named(key), ""), ()) if path not in paths]
        return groups

    def _named(self, key: tuple[str, str]) -> tuple[str, str]:
        """Give what a session is called in the store, where no secret is."""
        return key[0], self._masker.identity(key[1])

    def _sessions_in(self, source: Source) -> Iterable[str]:
        if not source.format:
            self._done.append(source)
            return ()
        found: list[str] = []
        with self._noting(source.path):
            try:
                found += self._formats[source.format].sessions(Path(source.path))
            except TooLarge:
                found.append(Path(source.path).stem)  # kept as raw
                raise
        return found

    def _files_of_runs(self) -> Mapping[str, Sequence[str]]:
        files: dict[str, list[str]] = defaultdict(list)
        for source in self._sources.values():
            for run_id in source.runs:
                if Path(source.path).is_file():
                    files[run_id].append(source.path)
        return files

    def _observe(self, key: tuple[str, str], paths: Sequence[str], scanned: Scanned) -> None:
        main = next((path for path in paths if key[1] in Path(path).name), paths[0])  # beside those of its subagents
        named = self._named(key)
        name = Name(*key, main, self._known.get(named) or new_id())
        masking = Masking(self._masker, content=self._content)
        with self._noting(paths[0]):
            begin = partial(self._formats[key[0]].read, key[1], [Path(path) for path in paths])
            reading = Kept(begin, lambda error: self._note(paths[0], error))
            observing = Observing(name, reading, masking)
            for part in observing.parts():
                self._add(part)
            if not observing.is_empty:
                scanned.changed += named in self._known
                scanned.new += named not in self._known
                self._known[named] = name.run_id
        for path in paths:
            runs = (*self._sources[path].runs, *([name.run_id] if named in self._known else ()))
            self._sources[path] = replace(self._sources[path], runs=tuple(dict.fromkeys(runs)))
            self._done.append(self._sources[path])

    def _add(self, part: Observation) -> None:
        self._batch.append(part)
        self._waiting += len(part.events)
        self._weight += part.weight
        if self._waiting >= _EVENTS_AT_ONCE or self._weight >= _WEIGHT_AT_ONCE:
            self._write()

    def _write(self) -> None:
        """Write what waits. A file counts as read when all of it is written."""
        self._store.save_observations(self._batch)
        self._store.save_sources(self._done)
        self._batch, self._done, self._waiting, self._weight = [], [], 0, 0

    @contextmanager
    def _noting(self, path: str) -> Iterator[None]:
        """Go on with the next session, whatever is wrong with this one."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            self._note(path, error)

    def _note(self, path: str, error: Exception) -> None:
        told = str(error) if isinstance(error, LoopwrightError | OSError) else f"{type(error).__name__}: {error}"
        self._sources[path] = replace(self._sources[path], note=told)

    def _summed(self, files: Sequence[Found], scanned: Scanned) -> Scanned:
        sources = [self._sources[str(found.path)] for found in files]
        scanned.runs = list(dict.fromkeys(run_id for source in sources for run_id in source.runs))
        scanned.others = sum(not source.format and not source.note for source in sources)
        scanned.notes = [f"{source.path}: {source.note}" for source in sources if source.note]
        return scanned


class _Within:
    """Tells how far the files of one session are; what is read twice is not told twice."""

    def __init__(self, done: int, whole: int, told: Callable[[int], None]) -> None:
        self._done, self._left, self._told = done, whole, told

    def __call__(self, read: int) -> None:
        read = min(read, self._left)
        self._done, self._left = self._done + read, self._left - read
        self._told(self._done)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Let nobody look for cycles meanwhile: there are none, and it takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
