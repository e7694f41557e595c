"""The profiles of the command `slipway`, and which addresses may have a token."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ._errors import NotSignedIn

USUAL_PROFILE = "default"

_THIS_MACHINE = re.compile(r"(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|::1)")


def is_this_machine(address: str) -> bool:
    """Says whether an address is on this machine."""
    return _THIS_MACHINE.fullmatch(urlsplit(address).hostname or "") is not None


def is_safe_address(address: str) -> bool:
    """Says whether nobody else can read a token on its way to this address."""
    try:
        scheme = urlsplit(address).scheme
        return scheme == "https" or (scheme == "http" and is_this_machine(address))
    except ValueError:
        return False


def require_safe_address(address: str) -> str:
    """Returns the address without a slash at its end. Refuses one that is not encrypted."""
    if is_safe_address(address):
        return address.rstrip("/")
    if address.lower().startswith("http:"):
        raise NotSignedIn(
            f"{address} is not encrypted, so others could read your token. "
            f"Use https:{address[len('http:') :]}"
        )
    raise NotSignedIn(
        f"'{address}' is not the address of a service. Write it as https://jobs.example.org"
    )


def config_file() -> Path:
    """Returns the file in which the command keeps its profiles."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path(
        os.environ.get("HOME") or Path.home(), ".config"
    )
    return Path(home, "slipway", "config.json")


def read_profile(name: str) -> dict[str, Any] | None:
    """Reads a profile, with its ``url``, ``signIn`` and ``token``."""
    profile: dict[str, Any] | None = _read_profiles().get(name)
    if profile is None:
        return None
    if not _is_profile(profile):
        raise _unreadable()
    return profile


def write_token(name: str, token: dict[str, Any]) -> None:
    """Stores a renewed token in a profile, for the command too."""
    profiles = _read_profiles()
    if name not in profiles:
        return
    profiles[name] = {**profiles[name], "token": token}
    path = config_file()
    # Written aside and renamed, because another program may renew its token at the same time.
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump({"profiles": profiles}, file, indent=2)
        file.write("\n")
    os.chmod(draft, 0o600)
    os.replace(draft, path)


def _read_profiles() -> dict[str, Any]:
    try:
        text = config_file().read_text("utf-8")
    except OSError:
        return {}
    try:
        profiles = json.loads(text)["profiles"]
    except (ValueError, KeyError, TypeError):
        raise _unreadable() from None
    if not isinstance(profiles, dict):
        raise _unreadable()
    return profiles


def _is_profile(profile: object) -> bool:
    return (
        isinstance(profile, dict)
        and isinstance(profile.get("url"), str)
        and isinstance(profile.get("signIn"), dict)
        and isinstance(profile.get("token"), dict)
        and isinstance(profile["token"].get("access"), str)
    )


def _unreadable() -> NotSignedIn:
    return NotSignedIn(
        f"The file {config_file()} cannot be read. Remove it and sign in again: slipway login"
    )


def not_signed_in(profile: str = USUAL_PROFILE) -> NotSignedIn:
    """Makes the exception for a missing or expired sign-in."""
    named = "" if profile == USUAL_PROFILE else f" --profile {profile}"
    return NotSignedIn(
        f"You are not signed in. Sign in: slipway login{named} "
        f"(on a laptop: slipway login --local{named}, or Slipway.local())"
    )


def find_key_file() -> Path | None:
    """Finds the key that `npm start` keeps, in this folder or one above it."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        file = folder / ".slipway" / "key"
        if file.is_file():
            return file
    return None


def read_key(file: Path) -> str:
    """Reads the key of a laptop edition."""
    try:
        key = file.read_text("ascii").strip()
    except (OSError, ValueError):
        key = ""
    if not re.fullmatch(r"[\w-]{1,100}", key):
        raise NotSignedIn(f"The key {file} cannot be read. {HOW_TO_FIND_KEY}")
    return key


HOW_TO_FIND_KEY = (
    "Run Python in the folder in which npm start runs, or name the key: "
    'Slipway.local(key_file="FOLDER/.slipway/key")'
)
