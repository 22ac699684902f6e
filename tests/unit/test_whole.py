"""Files written whole or not at all, whatever lies beside them or in their place."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from advisor.errors import InvalidOption
from advisor.storage import whole


def write(path, text=b"new"):
    with whole.replacing(path) as file:
        file.write(text)


def test_nothing_is_seen_of_a_file_before_its_end(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")
    with whole.replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["page.html"]


def test_what_fails_leaves_the_old_file_and_no_draft(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"old")

    def half(draft):
        draft.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(InvalidOption, match="No space left"):
        whole.save(str(path), "--html", half)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_link_where_a_draft_might_go_is_not_written_through(tmp_path):
    precious = tmp_path / "precious"
    precious.write_bytes(b"mine")
    for name in (".page.html.draft", ".page.draft", "page.html.draft"):
        (tmp_path / name).symlink_to(precious)
    write(tmp_path / "page.html")
    assert precious.read_bytes() == b"mine"
    assert (tmp_path / ".page.html.draft").is_symlink()


def test_a_link_at_the_target_stays_and_what_it_points_to_is_replaced(tmp_path):
    real = tmp_path / "elsewhere.html"
    real.write_bytes(b"old")
    link = tmp_path / "page.html"
    link.symlink_to(real)
    write(link)
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt", reason="pipes and modes of files are POSIX")
def test_a_pipe_or_a_folder_is_no_target(tmp_path):
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "folder.html").mkdir()
    for name in ("pipe.html", "folder.html"):
        with pytest.raises(InvalidOption, match="is no file"):
            whole.save(str(tmp_path / name), "--html", lambda draft: draft.write(b"new"))


@pytest.mark.skipif(os.name == "nt", reason="modes of files are POSIX")
def test_a_file_has_the_mode_that_any_new_file_has(tmp_path):
    write(tmp_path / "page.html")
    Path(tmp_path / "other").touch()
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("page.html", "other")}
    assert len(modes) == 1


def test_drafts_of_killed_writers_can_be_removed(tmp_path):
    for name in (".a.table.x1y2.draft", ".a.999.draft", ".b.table.x1.draft", "a.draft"):
        (tmp_path / name).touch()
    whole.remove_drafts(tmp_path / "a.table")
    assert sorted(os.listdir(tmp_path)) == [".b.table.x1.draft", "a.draft"]
