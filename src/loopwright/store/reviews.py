"""Reviews and what humans said to them, in and out of their tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from sqlalchemy import ColumnElement, Connection, RowMapping, func, insert, select, update

from loopwright.errors import UnknownName
from loopwright.records.review import Compared, Item, Review, ReviewStatus, Said
from loopwright.store.database import OnDatabase
from loopwright.store.locking import lock
from loopwright.store.patience import patient
from loopwright.store.schema_reviewed import reviews, said

_APART = ("id", "number", "created_at", "expires_at", "status")


class Reviews(OnDatabase):
    """The part of the store that a human's view is read from and written to."""

    @patient
    def add(self, make: Callable[[int], Review]) -> Review:
        """Write a review down that is made knowing its number; it takes the place of those that wait for an answer."""
        with self._database.write() as connection:
            lock(connection, reviews)
            newest = connection.execute(select(func.max(reviews.c.number))).scalar() or 0
            review = make(newest + 1)
            if known := _find(connection, reviews.c.id == review.id):
                return known
            connection.execute(update(reviews).where(reviews.c.status == "pending").values(status="expired"))
            connection.execute(insert(reviews), _row(review))
            return review

    @patient
    def get(self, number: int) -> Review:
        """Give a review by its number."""
        with self._database.read() as connection:
            if review := _find(connection, reviews.c.number == number):
                return review
            known = connection.execute(select(reviews.c.number)).scalars()
            raise UnknownName("review", str(number), map(str, known), "see: loopwright reviews")

    @patient
    def newest(self, limit: int = 1, status: ReviewStatus | None = None) -> Sequence[Review]:
        """Give the newest reviews, the newest first."""
        chosen = select(reviews).where(*((reviews.c.status == status,) if status else ()))
        with self._database.read() as connection:
            rows = connection.execute(chosen.order_by(reviews.c.number.desc()).limit(limit)).mappings()
            return [_review(row) for row in rows]

    @patient
    def say(self, answer: Said, ends: ReviewStatus | None = None) -> Said | None:
        """Write an answer down before anything is done; give the one that is there where it came before.

        `ends` is what becomes of the review with it; None where somebody else has ended it meanwhile.
        """
        with self._database.write() as connection:
            lock(connection, said)
            if row := connection.execute(select(said).where(said.c.id == answer.id)).mappings().first():
                return Said(**row)
            if ends:
                its = (reviews.c.id == answer.review_id, reviews.c.status == "pending")
                if connection.execute(update(reviews).where(*its).values(status=ends)).rowcount != 1:
                    return None
            connection.execute(insert(said), vars(answer))
            return answer

    @patient
    def done(self, answer_id: str, outcome: str) -> None:
        """Write what came of an answer."""
        with self._database.write() as connection:
            connection.execute(update(said).where(said.c.id == answer_id).values(outcome=outcome, done=True))

    @patient
    def answers(self, review_id: str) -> Sequence[Said]:
        """Give all that was said to a review, the oldest first."""
        chosen = select(said).where(said.c.review_id == review_id).order_by(said.c.at, said.c.id)
        with self._database.read() as connection:
            return [Said(**row) for row in connection.execute(chosen).mappings()]

    @patient
    def unfinished(self) -> Sequence[Said]:
        """Give answers that somebody died over, the oldest first."""
        chosen = select(said).where(said.c.done.is_(False)).order_by(said.c.at, said.c.id)
        with self._database.read() as connection:
            return [Said(**row) for row in connection.execute(chosen).mappings()]

    @patient
    def expire(self, now: str) -> Sequence[int]:
        """End the reviews whose time is over; give their numbers."""
        its = (reviews.c.status == "pending", reviews.c.expires_at <= now)
        with self._database.write() as connection:
            numbers = list(connection.execute(select(reviews.c.number).where(*its)).scalars())
            connection.execute(update(reviews).where(*its).values(status="expired"))
            return numbers


def _find(connection: Connection, its: ColumnElement[bool]) -> Review | None:
    row = connection.execute(select(reviews).where(its)).mappings().first()
    return _review(row) if row else None


def _row(review: Review) -> dict[str, object]:
    data = dataclasses.asdict(review)
    return {name: data.pop(name) for name in _APART} | {"shown": data}


def _review(row: RowMapping) -> Review:
    shown = dict(row["shown"])
    items, compared = [Item(**one) for one in shown.pop("items")], [Compared(**one) for one in shown.pop("compared")]
    return Review(**{name: row[name] for name in _APART}, items=items, compared=compared, **shown)
