# Made by `npm run describe` from _async/access.py. Do not edit.
"""Finds the service and a token, as the command `slipway` does."""

from __future__ import annotations

import base64
import json
import os
import time
from pathlib import Path
from typing import Any

import httpx

from .._errors import NotSignedIn, ServiceUnreachable
from .._profile import (
    HOW_TO_FIND_KEY,
    USUAL_PROFILE,
    is_this_machine,
    not_signed_in,
    read_key,
    read_profile,
    require_safe_address,
    write_token,
)
from .._tokens import Token, ask_token

#: Tokens are renewed early, so that they do not expire during a request.
_MARGIN_SECONDS = 60
_ANSWER_SECONDS = 30.0
_MOST_BYTES = 1_000_000


def find_access(
    url: str | None, token: Token | None, profile: str | None
) -> tuple[str, Token]:
    """
    Finds the address of the service and a token.

    Arguments win over SLIPWAY_URL and SLIPWAY_TOKEN, and these win over the profile.
    """
    name = profile or os.environ.get("SLIPWAY_PROFILE") or USUAL_PROFILE
    url = url or os.environ.get("SLIPWAY_URL")
    token = token or os.environ.get("SLIPWAY_TOKEN")
    known = read_profile(name) if not (url and token) else None
    if not url and known:
        url = known["url"]
    if not url:
        if token:
            raise NotSignedIn("The address of the service is missing. Set SLIPWAY_URL as well.")
        raise not_signed_in(name)
    if not token:
        if not known:
            raise not_signed_in(name)
        token = ProfileTokens(name, known)
    return require_safe_address(url), token


class ProfileTokens:
    """Takes the token of a profile. Renews it before it expires, and after a refusal."""

    def __init__(self, name: str, profile: dict[str, Any]) -> None:
        self._name = name
        self._profile = profile
        self._token: dict[str, Any] = profile["token"]

    def __call__(self, refused: str | None = None) -> str:
        if not self._is_fresh() or refused == self._token["access"]:
            renewed = self._renew()
            if renewed is None:
                raise not_signed_in(self._name)
            self._token = renewed
            write_token(self._name, renewed)
        access: str = self._token["access"]
        return access

    def _is_fresh(self) -> bool:
        expires = self._token.get("expires")
        return expires is None or expires / 1000 - _MARGIN_SECONDS > time.time()

    def __reduce__(self) -> tuple[Any, ...]:
        return TokenFromHere, (self._profile["url"], self._name)

    def _renew(self) -> dict[str, Any] | None:
        how = self._profile["signIn"]
        if how.get("kind") == "laptop":
            key_file = how.get("keyFile")
            return sign_in_on_laptop(
                self._profile["url"],
                user=how["user"],
                administrator=bool(how.get("administrator")),
                key_file=Path(key_file) if key_file else None,
            )
        refresh = self._token.get("refresh")
        if how.get("kind") != "device" or refresh is None:
            return None
        return refresh_token(how, refresh)


class LaptopTokens:
    """Signs in at a laptop edition, and again when its token expires."""

    def __init__(self, url: str, user: str, administrator: bool, key_file: Path | None) -> None:
        self._url = url
        self._user = user
        self._administrator = administrator
        self._key_file = key_file
        self._token: dict[str, Any] | None = None

    def __call__(self, refused: str | None = None) -> str:
        if self._token is None or self._is_old(self._token) or refused == self._token["access"]:
            self._token = sign_in_on_laptop(
                self._url,
                user=self._user,
                administrator=self._administrator,
                key_file=self._key_file,
            )
        access: str = self._token["access"]
        return access

    def __reduce__(self) -> tuple[Any, ...]:
        # The key stays in its file, too.
        return LaptopTokens, (self._url, self._user, self._administrator, self._key_file)

    def _is_old(self, token: dict[str, Any]) -> bool:
        expires = token.get("expires")
        return expires is not None and expires / 1000 - _MARGIN_SECONDS < time.time()


class TokenFromHere:
    """Finds a token for a client that was pickled, where it is used, at its first request."""

    def __init__(self, url: str, profile: str | None = None) -> None:
        self._url = url.rstrip("/")
        self._profile = profile
        self._found: Token | None = None

    def __call__(self, refused: str | None = None) -> str:
        if self._found is None:
            self._found = self._find()
        return ask_token(self._found, refused)

    def __reduce__(self) -> tuple[Any, ...]:
        return TokenFromHere, (self._url, self._profile)

    def _find(self) -> Token:
        url = os.environ.get("SLIPWAY_URL", self._url).rstrip("/")
        token = os.environ.get("SLIPWAY_TOKEN")
        if token and url == self._url and self._profile is None:
            return token
        name = self._profile or os.environ.get("SLIPWAY_PROFILE") or USUAL_PROFILE
        known = read_profile(name)
        if known and known["url"].rstrip("/") == self._url:
            return ProfileTokens(name, known)
        raise NotSignedIn(
            f"A pickled client of {self._url} has no token with it, and none was found here. "
            f"Set SLIPWAY_URL and SLIPWAY_TOKEN, or sign in: slipway login --url {self._url}"
        )


def sign_in_on_laptop(
    url: str, *, user: str, administrator: bool, key_file: Path | None
) -> dict[str, Any]:
    """Signs in at the laptop edition as any user. It believes everybody who has its key."""
    address = require_safe_address(url)
    headers = {}
    # The key is for this machine only, whatever address somebody was told to use.
    if key_file is not None and is_this_machine(address):
        headers["Slipway-Key"] = read_key(key_file)
    try:
        status, answer = _post(
            f"{address}/local/token",
            headers=headers,
            json={"user": user, "administrator": administrator},
        )
    except httpx.HTTPError as error:
        raise ServiceUnreachable(
            f"Nothing answers at {address}. Start the service in another terminal: npm start"
        ) from error
    if status == 401:
        reason = (
            "no key was found"
            if key_file is None
            else f"the key {key_file} belongs to another service"
        )
        raise NotSignedIn(
            f"The laptop edition at {address} wants its key, but {reason}. {HOW_TO_FIND_KEY}"
        )
    if not isinstance(answer.get("access_token"), str):
        raise NotSignedIn(
            f"The service at {address} is not a laptop edition. "
            f"Sign in with its issuer: slipway login --url {address}"
        )
    return _keep(answer["access_token"], answer.get("expires_in"), None)


def refresh_token(how: dict[str, Any], refresh: str) -> dict[str, Any] | None:
    """Renews a token at its issuer. Returns None if the issuer refuses."""
    issuer = require_safe_address(how["issuer"])
    try:
        metadata = _get(f"{issuer}/.well-known/openid-configuration")
        # Metadata that names another issuer may come from an attacker (RFC 8414, 3.3).
        if str(metadata.get("issuer", "")).rstrip("/") != issuer:
            raise ServiceUnreachable(f"{issuer} is not an OpenID Connect issuer.")
        status, answer = _post(
            require_safe_address(str(metadata.get("token_endpoint", ""))),
            data={
                "grant_type": "refresh_token",
                "refresh_token": refresh,
                "client_id": how["clientId"],
            },
        )
    except httpx.HTTPError as error:
        raise ServiceUnreachable(f"{issuer} did not answer. Try again in a few minutes.") from error
    if status >= 500:
        raise ServiceUnreachable(f"{issuer} answered {status}. Try again in a few minutes.")
    wanted = how.get("token") or "access_token"
    access = answer.get(wanted)
    if status != 200 or not isinstance(access, str):
        return None
    # An issuer that returns no new refresh token means the old one.
    kept = str(answer.get("refresh_token") or refresh)
    if wanted == "id_token":
        return _keep(access, _seconds_left(access), kept)
    return _keep(access, answer.get("expires_in"), kept)


def _keep(access: str, seconds: object, refresh: str | None) -> dict[str, Any]:
    """Returns a token as profiles store it."""
    token: dict[str, Any] = {"access": access}
    if refresh is not None:
        token["refresh"] = refresh
    if isinstance(seconds, (int, float)):
        token["expires"] = int((time.time() + seconds) * 1000)
    return token


def _seconds_left(id_token: str) -> float | None:
    """Reads when an ID token expires. It came straight from the issuer over TLS."""
    try:
        middle = id_token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
        return float(claims["exp"]) - time.time()
    except (IndexError, ValueError, KeyError, TypeError):
        return None


def _post(address: str, **content: Any) -> tuple[int, dict[str, Any]]:
    with httpx.Client(timeout=_ANSWER_SECONDS, follow_redirects=False) as client:
        with client.stream("POST", address, **content) as response:
            return response.status_code, _read_object(response)


def _get(address: str) -> dict[str, Any]:
    with httpx.Client(timeout=_ANSWER_SECONDS, follow_redirects=False) as client:
        with client.stream("GET", address) as response:
            return _read_object(response)


def _read_object(response: httpx.Response) -> dict[str, Any]:
    """Reads a JSON object of limited size, or an empty one for anything else."""
    content = bytearray()
    for piece in response.iter_bytes():
        content += piece
        if len(content) > _MOST_BYTES:
            return {}
    try:
        answer = json.loads(content)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
