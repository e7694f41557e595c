"""Reads JSON into the generated dataclasses."""

from __future__ import annotations

import types
import typing
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from ._errors import ServiceUnreachable

_Read = TypeVar("_Read", bound="Model")


class Model:
    """
    An answer of the service.

    Fields that this version does not know are kept in ``to_dict()``.
    """

    @classmethod
    def from_json(cls: type[_Read], value: object) -> _Read:
        """
        Reads an object. A field that an older service does not send is None.

        Raises ``ServiceUnreachable`` if the object has none of the required fields.
        """
        if not isinstance(value, dict):
            raise ServiceUnreachable("The answer is not a JSON object.")
        known = _fields_of(cls)
        needed = [key for key, _, is_needed in known.values() if is_needed]
        if needed and not any(key in value for key in needed):
            raise ServiceUnreachable(f"The answer has no '{needed[0]}'.")
        made = cls(**{name: _read(kind, value.get(key)) for name, (key, kind, _) in known.items()})
        object.__setattr__(made, "_json", value)
        return made

    def to_dict(self) -> dict[str, Any]:
        """Returns the answer as the service wrote it."""
        return dict(getattr(self, "_json", {}))


_known: dict[type, dict[str, tuple[str, Any, bool]]] = {}


def _fields_of(model: Any) -> dict[str, tuple[str, Any, bool]]:
    """Returns the key, the type and the need of each field. Types are resolved only once."""
    if model in _known:
        return _known[model]
    hints = typing.get_type_hints(model)
    _known[model] = {
        field.name: (
            # A field whose name is a word of Python ends in an underscore.
            field.name.rstrip("_"),
            hints[field.name],
            field.default is MISSING,
        )
        for field in fields(model)
    }
    return _known[model]


def _read(kind: Any, value: Any) -> Any:
    """Reads a value by its type. Plain values are taken as they are."""
    if value is None:
        return None
    origin = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        models = [each for each in arguments if isinstance(each, type) and issubclass(each, Model)]
        if models and isinstance(value, dict):
            return read_one_of(value, *models)
        return next((_read(each, value) for each in arguments if typing.get_origin(each)), value)
    if origin is list and isinstance(value, list):
        return [_read(arguments[0], each) for each in value]
    if origin is dict and isinstance(value, dict):
        return {key: _read(arguments[1], each) for key, each in value.items()}
    if isinstance(kind, type) and issubclass(kind, Model):
        return kind.from_json(value)
    return value


def read_one_of(value: object, *kinds: type[Model]) -> Any:
    """Reads an object as the first kind whose fields and constants it has."""
    found = value if isinstance(value, dict) else {}
    for kind in kinds:
        if all(_fits(found, *each) for each in _fields_of(kind).values()):
            return kind.from_json(value)
    return kinds[0].from_json(value)


def _fits(value: dict[str, Any], key: str, kind: Any, needed: bool) -> bool:
    if key not in value:
        return not needed
    return typing.get_origin(kind) is not typing.Literal or value[key] in typing.get_args(kind)
