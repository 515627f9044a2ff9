"""Files are replaced as a whole or not at all, and say what they are."""

import pytest

from rlcheck.files import check_header, header, read_text, write_file


def test_text_bytes_and_what_a_function_writes(tmp_path):
    path = tmp_path / "a" / "b"
    for content, expected in (
        ("é", "é"),
        (b"bytes", "bytes"),
        (lambda draft: draft.write_text("written"), "written"),
    ):
        write_file(path, content)
        assert read_text(path, largest=100) == expected
    assert list(path.parent.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "file"
    write_file(path, "before")

    def broken(draft):
        draft.write_text("half")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        write_file(path, broken)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_large_file_is_not_read(tmp_path):
    write_file(tmp_path / "file", "x" * 11)
    with pytest.raises(ValueError, match="more than 10 bytes"):
        read_text(tmp_path / "file", largest=10)


def test_a_file_is_known_by_its_header():
    made = {**header("policy", 3), "more": 1}
    assert check_header(made, "policy", 3) == made
    assert check_header({"format": "rlcheck policy", "version": 3}, "policy", 3)  # As it was once.
    for found in (None, [], {}, header("actions", 3)):
        with pytest.raises(ValueError, match="not of the kind 'policy'"):
            check_header(found, "policy", 3)
    with pytest.raises(ValueError, match="version 4, and this rlcheck reads 3"):
        check_header(header("policy", 4), "policy", 3)
