# Made by `npm run describe` from _async/paged.py. Do not edit.
"""Lists whose pages are fetched as they are needed."""

from __future__ import annotations

from collections.abc import Iterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from .._errors import ServiceUnreachable
from .._rows import Rows, make_dataframe

if TYPE_CHECKING:
    import pandas

Item = TypeVar("Item")
Other = TypeVar("Other")


@dataclass(frozen=True)
class Page(Generic[Item]):
    items: list[Item]
    #: The path of the next page, with its query.
    next: str | None


class Paged(Generic[Item]):
    """A list of the service. Going through it fetches page after page."""

    def __init__(
        self, first: str, read: Callable[[str], Page[Item]], max_pages: int
    ) -> None:
        self._first = first
        self._read = read
        self._max_pages = max_pages

    def pages(self) -> Iterator[list[Item]]:
        """Yields each page. Refuses a list that never ends, which is a fault or an attack."""
        seen: set[str] = set()
        path: str | None = self._first
        while path is not None:
            if path in seen or len(seen) >= self._max_pages:
                raise ServiceUnreachable(f"The list {self._first} does not end.")
            seen.add(path)
            page = self._read(path)
            yield page.items
            path = page.next

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page:
                yield item

    def all(self) -> Rows[Item]:
        """Fetches everything."""
        return Rows([item for item in self])

    def first(self, most: int = 1) -> Rows[Item]:
        """Fetches the first items, and no more pages than needed."""
        found: Rows[Item] = Rows()
        if most < 1:
            return found
        for item in self:
            found.append(item)
            if len(found) >= most:
                break
        return found

    def to_dataframe(self) -> pandas.DataFrame:
        """Fetches everything into a pandas DataFrame."""
        return make_dataframe(self.all())

    def change(self, into: Callable[[Item], Other]) -> Paged[Other]:
        """Returns the same list with other items."""

        def read(path: str) -> Page[Other]:
            page = self._read(path)
            return Page([into(item) for item in page.items], page.next)

        return Paged(self._first, read, self._max_pages)
