"""Patches in and out of their table. The same change is there once, whoever proposes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import RowMapping, insert, or_, select, update

from loopwright.errors import BusyError, UnknownName
from loopwright.records.patch import Patch, PatchStatus
from loopwright.store.database import OnDatabase
from loopwright.store.patience import patient
from loopwright.store.schema_patched import patches

_FEWEST = 4


class Patches(OnDatabase):
    """The part of the store that has what was proposed."""

    @patient
    def add(self, patch: Patch) -> bool:
        """Write a patch down; False where the same change was proposed before, whatever became of it."""
        known = select(patches.c.id).where(or_(patches.c.hash == patch.hash, patches.c.id == patch.id))
        with self._database.write() as connection:
            found = connection.execute(known).scalar()
            if found is None:
                connection.execute(insert(patches), _row(patch))
            return found in (None, patch.id)

    @patient
    def all(self, *statuses: PatchStatus) -> Sequence[Patch]:
        """Give all patches, or those of some statuses, the newest first."""
        chosen = select(patches).order_by(patches.c.created_at.desc(), patches.c.id.desc())
        with self._database.read() as connection:
            rows = connection.execute(chosen.where(patches.c.status.in_(statuses)) if statuses else chosen)
            return [_patch(row) for row in rows.mappings()]

    @patient
    def find(self, name: str) -> Patch:
        """Give the patch that a person means: its id, or the end of it."""
        found = [one for one in self.all() if name == one.id or (len(name) >= _FEWEST and one.id.endswith(name))]
        if len(found) != 1:
            hint = "several ids end so: name more of it" if found else "see: loopwright patches list"
            raise UnknownName("patch", name, (), hint)
        return found[0]

    @patient
    def save(self, patch: Patch, seen: PatchStatus) -> None:
        """Write what became of a patch; BusyError where it is not any more as it was seen."""
        its = (patches.c.id == patch.id, patches.c.status.in_({seen, patch.status}))
        with self._database.write() as connection:
            if connection.execute(update(patches).where(*its).values(_row(patch))).rowcount != 1:
                words = f"somebody else has decided on the patch `{patch.title}` meanwhile"
                raise BusyError(words, "see: loopwright patches list")


def _row(patch: Patch) -> dict[str, Any]:
    return vars(patch) | {"hash": patch.hash, "runs": list(patch.runs)}


def _patch(row: RowMapping) -> Patch:
    known = {name: row[name] for name in Patch.__dataclass_fields__}
    return Patch(**known | {"runs": tuple(known["runs"])})
