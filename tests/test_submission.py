import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_submission_plays_from_where_it_was_unpacked(tmp_path):
    """As mjai.app does: unpack, run ``bot.py SEAT``, an array of events a line, one reply a line."""
    made = tmp_path / "bot.zip"
    subprocess.run([sys.executable, ROOT / "scripts" / "mjai-app-zip", made], check=True, capture_output=True)
    with zipfile.ZipFile(made) as archive:
        archive.extractall(tmp_path / "bot")
    names = {path.relative_to(tmp_path / "bot").as_posix() for path in (tmp_path / "bot").rglob("*")}
    assert {"bot.py", "manue/bot.py", "manue/hand/shanten.bin", "LICENSE"} <= names
    assert {path.name for path in (ROOT / "models").iterdir()} <= {Path(name).name for name in names}
    arrays = [[{"type": "start_game", "id": 2, "names": ["0", "1", "2", "3"]}], [{"type": "end_game"}]]
    ended = subprocess.run(
        [sys.executable, "bot.py", "2", "--agent", "tsumogiri"],
        input="".join(json.dumps(array) + "\n" for array in arrays),
        cwd=tmp_path / "bot",
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},  # compiling at a new place would take longer
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.splitlines() == ['{"type":"none"}'] * 2, ended.stderr
    assert ended.returncode == 0
