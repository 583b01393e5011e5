"""What `manue play --log` does where the files cannot be written."""

import shutil

import pytest

from manue.errors import LogError
from manue.transports.recording import ConversationFiles


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "talks"
    made.mkdir()
    return made


def test_a_folder_that_was_removed_between_two_games_cost_the_second(folder, capsys):
    files = ConversationFiles(folder / "talk.jsonl")
    files.keep("in", '{"type":"hello"}')
    files.close()
    shutil.rmtree(folder)
    for _ in range(2):
        files.keep("in", '{"type":"hello"}')
        files.close()
    assert capsys.readouterr().err == (
        f"manue: {folder / 'talk-2.jsonl'}: No such file or directory; the recording ends here\n"
    )


def test_a_recording_that_cannot_begin_is_an_error(folder):
    files = ConversationFiles(folder / "talk.jsonl")
    shutil.rmtree(folder)
    with pytest.raises(LogError, match=r"talk-1\.jsonl: No such file or directory"):
        files.keep("in", '{"type":"hello"}')
