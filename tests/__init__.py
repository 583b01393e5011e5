"""Tests of everything; NumPy and scikit-learn compute in one thread, in child processes, too."""

import os

# read as they are imported: threads that wait for each other on a busy machine take many times as long as one
os.environ.setdefault("OMP_NUM_THREADS", "1")
