"""How the service and a token are found."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Service

from slipway_hpc import NotSignedIn, ServiceUnreachable, Slipway


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("SLIPWAY_URL", "SLIPWAY_TOKEN", "SLIPWAY_PROFILE", "SLIPWAY_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def write_config(home: Path, **profiles: Any) -> Path:
    file = home / "slipway/config.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"profiles": profiles}))
    return file


def test_nobody_is_signed_in() -> None:
    with pytest.raises(NotSignedIn, match="slipway login"):
        Slipway()


def test_the_environment_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLIPWAY_TOKEN", "a")
    with pytest.raises(NotSignedIn, match="SLIPWAY_URL"):
        Slipway()
    monkeypatch.setenv("SLIPWAY_URL", "https://jobs.example.org/")
    assert Slipway().url == "https://jobs.example.org"


@pytest.mark.parametrize(("text", "seconds"), [("30s", 30), ("1m30s", 90), ("1.5 min", 90)])
def test_the_environment_has_a_timeout(
    text: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Slipway("https://a.example", "a").settings.timeout == 40
    monkeypatch.setenv("SLIPWAY_TIMEOUT", text)
    assert Slipway("https://a.example", "a").settings.timeout == seconds
    assert Slipway("https://a.example", "a", timeout=5).settings.timeout == 5


@pytest.mark.parametrize("text", ["soon", "30", "0s", "2m later", "3 months"])
def test_a_timeout_that_is_not_a_duration_is_named(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLIPWAY_TIMEOUT", text)
    with pytest.raises(ValueError, match="such as 30s or 2m"):
        Slipway("https://a.example", "a")


@pytest.mark.parametrize("url", ["http://jobs.example.org", "jobs.example.org", "ftp://a"])
def test_an_unsafe_address_is_refused(url: str) -> None:
    with pytest.raises(NotSignedIn):
        Slipway(url, "a")


def test_a_broken_file_is_named(home: Path) -> None:
    write_config(home).write_text("{")
    with pytest.raises(NotSignedIn, match=r"config\.json cannot be read"):
        Slipway()


def test_a_profile_of_the_command_is_used_and_renewed(home: Path, service: Service) -> None:
    file = write_config(
        home,
        default={
            "url": service.url,
            "signIn": {
                "kind": "laptop",
                "user": "306380",
                "administrator": False,
                "keyFile": str(service.key_file),
            },
            "token": {"access": "old", "expires": int(time.time() * 1000)},
        },
        other={"url": "https://a.example", "signIn": {"kind": "token"}, "token": {"access": "b"}},
    )
    assert Slipway().quotas()[0].user == "306380"
    kept = json.loads(file.read_text())["profiles"]
    assert kept["default"]["token"]["access"] != "old"
    assert kept["default"]["token"]["expires"] > time.time() * 1000
    assert kept["other"]["token"] == {"access": "b"}
    assert file.stat().st_mode & 0o777 == 0o600
    assert Slipway(profile="other").url == "https://a.example"


def test_an_expired_token_asks_to_sign_in_again(home: Path) -> None:
    token = {"access": "a", "expires": 0}
    profile = {"url": "https://a.example", "signIn": {"kind": "token"}, "token": token}
    write_config(home, work=profile)
    with pytest.raises(NotSignedIn, match="--profile work"):
        Slipway(profile="work").quotas()


def test_local_finds_the_key(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    below = service.folder / "deep/er"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert Slipway.local(service.url, user="306381").quotas()[0].user == "306381"
    administrator = Slipway.local(service.url, user="100001", administrator=True)
    assert administrator.api.get_user(user_id="306381").user == "306381"


def test_local_says_what_is_missing(service: Service, tmp_path: Path) -> None:
    wrong = tmp_path / "key"
    wrong.write_text("wrong")
    with pytest.raises(NotSignedIn, match="belongs to another service"):
        Slipway.local(service.url, key_file=wrong).quotas()
    with pytest.raises(ServiceUnreachable, match="npm start"):
        Slipway.local("http://127.0.0.1:9").quotas()


def test_a_refresh_token_is_used(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import slipway_hpc._sync.access as access

    sent: list[Any] = []

    def get(address: str) -> dict[str, Any]:
        return {"issuer": "https://id.example", "token_endpoint": "https://id.example/token"}

    def post(address: str, **content: Any) -> tuple[int, dict[str, Any]]:
        sent.append((address, content["data"]))
        return 200, {"access_token": "new", "expires_in": 3600}

    monkeypatch.setattr(access, "_get", get)
    monkeypatch.setattr(access, "_post", post)
    sign_in = {
        "kind": "device",
        "issuer": "https://id.example/",
        "clientId": "command",
        "scope": "openid",
    }
    profile = {
        "url": "https://a.example",
        "signIn": sign_in,
        "token": {"access": "old", "refresh": "r", "expires": 0},
    }
    file = write_config(home, default=profile)
    tokens = access.ProfileTokens("default", profile)
    assert tokens() == "new"
    assert sent == [
        (
            "https://id.example/token",
            {"grant_type": "refresh_token", "refresh_token": "r", "client_id": "command"},
        )
    ]
    assert json.loads(file.read_text())["profiles"]["default"]["token"]["refresh"] == "r"
