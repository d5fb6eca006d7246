"""What every process does that works for another one."""

import os
import signal
import threading
import time


def end_with_parent() -> None:
    """Leave at once on Ctrl-C, and when the process that started this one is gone; what it started
    then leaves too.

    For the first line of a job, and as the initialiser of every pool of processes.
    """
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
