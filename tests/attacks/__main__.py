"""The attack from outside, all of it: every row counts inputs and failures and measures memory and time.

``python -m tests.attacks`` prints the table of docs/results.md; names of rows after it run these alone. It
takes a quarter of an hour, stays on this machine and in a temporary folder, and exits with 1 if anything
failed. The tests run the same rows, with fewer inputs unless MANUE_FULL is set.
"""

import sys

from tests.attacks import drill


def main(names: list[str]) -> int:
    drill.load()
    print("| attack | inputs | failures | peak MiB over idle | seconds |\n|---|---|---|---|---|")
    failed = False
    for key, chosen in drill.ATTACKS.items():
        if names and key not in names:
            continue
        row, seconds = drill.run(chosen, 1.0, 1.0)
        failed |= bool(row.failures)
        peak = f"{row.peak / 1024:.0f}" if row.peak else "-"
        line = f"| {chosen.name} | {row.inputs:,} | {len(row.failures)} | {peak} | {seconds:.0f} |"
        print(line, flush=True)
        for failure in row.failures[:20]:
            print(f"    {failure}", file=sys.stderr, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
