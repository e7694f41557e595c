"""Lists of answers that become tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from ._faces import write_table_html

if TYPE_CHECKING:
    import pandas

Item = TypeVar("Item")


class Rows(list[Item]):
    """A list of answers, which can become a DataFrame."""

    def to_dataframe(self) -> pandas.DataFrame:
        """Returns a pandas DataFrame with a row for each item. Nested fields become ``a.b``."""
        return make_dataframe(self)

    def _repr_html_(self) -> str:
        items: list[Any] = list(self)
        if items and all(hasattr(item, "_has_face") for item in items):
            return "".join(item._repr_html_() for item in items)
        return write_table_html([to_row(item) for item in items])


def to_row(item: Any) -> dict[str, Any]:
    """Returns the fields of an item as the service wrote them."""
    row: dict[str, Any] = item.to_dict()
    return row


def make_dataframe(items: Iterable[Any]) -> pandas.DataFrame:
    """Makes a DataFrame, if pandas is installed."""
    try:
        import pandas
    except ImportError:
        raise ImportError("A DataFrame needs pandas: pip install pandas") from None
    frame: pandas.DataFrame = pandas.json_normalize([to_row(item) for item in items])
    return frame
