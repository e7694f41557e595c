"""Packing and safe names."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slipway_hpc import FolderNotPackable, pack_folder
from slipway_hpc._files import add_file, clean_path, open_input, write_table
from slipway_hpc._paths import write_path
from slipway_hpc._retry import choose_pause, read_retry_after


def test_a_folder_is_packed_the_same_way_each_time(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    (folder / "数据" / "empty").mkdir(parents=True)
    (folder / "数据" / "a.txt").write_text("a")
    run = folder / "run.sh"
    run.write_text("echo")
    run.chmod(0o755)
    assert pack_folder(folder, tmp_path / "1.zip") == 2
    os.utime(run, (0, 0))
    pack_folder(folder, tmp_path / "2.zip")
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "1.zip") as archive:
        assert archive.namelist() == ["run.sh", "数据/a.txt", "数据/empty/"]
        assert archive.getinfo("run.sh").external_attr >> 16 & 0o111
        assert not archive.getinfo("数据/a.txt").external_attr >> 16 & 0o111


def test_links_and_odd_names_are_refused_together(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "link").symlink_to("/etc/passwd")
    (folder / "back\\slash").write_text("")
    (folder / "bell\x07").write_text("")
    os.mkfifo(folder / "pipe")
    with pytest.raises(FolderNotPackable) as refusal:
        pack_folder(folder, tmp_path / "1.zip")
    lines = str(refusal.value).splitlines()
    assert len(lines) == 5
    assert "'link' is a link." in str(refusal.value)
    assert "'bell?' has a backslash or a control character" in str(refusal.value)


names = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\"),
    min_size=1,
    max_size=30,
).filter(lambda name: name not in (".", "..") and len(name.encode()) < 200)


@given(st.dictionaries(names, st.binary(max_size=200), min_size=1, max_size=5))
def test_whatever_is_packed_is_unpacked(contents: dict[str, bytes]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as below:
        folder = Path(below, "study")
        folder.mkdir()
        for name, content in contents.items():
            (folder / name).write_bytes(content)
        expected = {entry.name: entry.read_bytes() for entry in folder.iterdir()}
        pack_folder(folder, Path(below, "1.zip"))
        with zipfile.ZipFile(Path(below, "1.zip")) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == expected


@given(st.text(max_size=60), st.booleans())
def test_no_name_leads_out_of_the_folder(name: str, windows: bool) -> None:
    try:
        path = clean_path(name, windows=windows)
    except ValueError:
        return
    parts = path.split("/")
    assert ".." not in parts
    assert all(parts)
    assert not path.startswith("/")
    assert not any(each < " " or each in "\u202e\\" for each in path)


@pytest.mark.parametrize(
    ("name", "path"),
    [("a/b", "a/b"), ("a\\b", "a/b"), ("./a", "a"), ("a\nb", "a_b"), ("a\u202etxt", "a_txt")],
)
def test_names_are_cleaned(name: str, path: str) -> None:
    assert clean_path(name, windows=False) == path


@pytest.mark.parametrize(
    "name", ["../a", "a/../../b", "/etc/passwd", "C:\\a", "\\a", "", "a/", "."]
)
def test_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="The name"):
        clean_path(name)


def test_windows_has_names_of_its_own() -> None:
    assert clean_path("con.txt", windows=True) == "_con.txt"
    assert clean_path("ab:c?", windows=True) == "ab_c_"


def test_rows_become_a_table() -> None:
    assert write_table([{"a": 0.1, "b": 'x,"y"'}, {"a": None, "b": "z"}]) == (
        b'a,b\n0.1,"x,""y"""\n,z\n'
    )


@pytest.mark.parametrize("rows", [[], [{}], [{"a b": 1}], [{"a": 1}, {"b": 1}]])
def test_rows_that_are_no_table_are_refused(rows: list[dict[str, int]]) -> None:
    with pytest.raises(ValueError, match=r"row|column"):
        write_table(rows)


def test_an_added_file_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("mine")
    first, name = add_file(tmp_path, "rows.csv", b"a")
    both, other = add_file(first, "rows.txt", b"b")
    assert (name, other) == ("rows-2.csv", "rows.txt")
    with open_input(both) as (path, _), zipfile.ZipFile(path or "") as archive:
        assert archive.read("rows.csv") == b"mine"
        assert archive.read("rows-2.csv") == b"a"
    with pytest.raises(FolderNotPackable, match=r"has a 'rows\.csv' already"):
        pack_folder(tmp_path, tmp_path.with_suffix(".zip"), add={"rows.csv": b""})
    with pytest.raises(FolderNotPackable, match="Give a folder, not a zip"):
        add_file(b"zip", "rows.csv", b"a")


@given(st.integers(0, 50), st.one_of(st.none(), st.floats(0, 1000)))
def test_pauses_grow_and_are_never_shorter_than_asked(count: int, asked: float | None) -> None:
    pause = choose_pause(count, asked)
    if asked is not None and asked > 300:
        assert pause is None
        return
    assert pause is not None
    assert pause >= (asked or 0)
    assert pause <= max(asked or 0, 30)


@given(st.text(max_size=40))
def test_any_retry_after_is_read(header: str) -> None:
    seconds = read_retry_after(header)
    assert seconds is None or seconds >= 0


@given(st.text(min_size=1, max_size=20))
def test_names_in_paths_are_quoted(name: str) -> None:
    path = write_path("/jobs/{hpc}/", {"hpc": name.encode("utf-8", "replace").decode()})
    assert path.startswith("/jobs/")
    assert path.endswith("/")
    assert path.count("/") == 3
    assert "?" not in path
