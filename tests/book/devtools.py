"""A headless Chromium that a test can type into: its own protocol over two pipes, with no package
in between."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FOUND = [place for name in _NAMES if (place := shutil.which(name))]
CHROMIUM = None if os.environ.get("VLMBIAS_NO_BROWSER") or not _FOUND else _FOUND[0]
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-file-access-from-files",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--window-size=1400,1000",
]
KEYS = {"Tab": 9, "Enter": 13, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39}
KEYS |= {"ArrowDown": 40}
PATIENCE = 300  # seconds: on a busy machine a page may take a minute


class Browser:
    """One page of a browser without a network; `requests` are the addresses it asked for, `errors`
    its complaints."""

    def __init__(self, chromium: str, options: list[str], profile: Path):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # Chromium reads from 3 and writes to 4: ours lie above, so that the shell can move them
        # there
        passed = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (theirs_in, theirs_out)]
        command = [chromium, *options, "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        command.append("about:blank")
        moved = f'exec "$@" 3<&{passed[0]} 4>&{passed[1]}'
        shell = ["bash", "-c", moved, "bash", *command]
        self.process = subprocess.Popen(shell, pass_fds=passed, stderr=subprocess.DEVNULL)
        for end in (theirs_in, theirs_out, *passed):
            os.close(end)
        self._in, self._out, self._rest, self._number = ours_in, ours_out, b"", 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.errors: list[str] = []
        targets = self.ask("Target.getTargets")["targetInfos"]
        (page,) = [one["targetId"] for one in targets if one["type"] == "page"]
        attached = self.ask("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for part in ("Network", "Page", "Runtime"):
            self.ask(f"{part}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to one command of the protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _note(self, said: dict[str, Any]) -> None:
        """Keep what an event tells: an address that was asked for, an error in the console."""
        method, about = said.get("method"), said.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif method == "Runtime.consoleAPICalled":
            if about["type"] in ("error", "warning", "assert"):
                said = (str(one.get("value", one.get("description"))) for one in about["args"])
                self.errors.append(" ".join(said))
        elif method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))

    def _read(self, seconds: float = PATIENCE) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0, until - time.monotonic()))
            piece = os.read(self._in, 1 << 20) if ready else b""
            assert piece, "the browser ended, or said nothing for minutes"
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for."""
        found = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def open(self, address: str) -> None:
        """Open a page and wait until it is loaded."""
        failed = self.ask("Page.navigate", url=address).get("errorText")
        assert not failed, f"{failed}: {address}"  # else it would be waited for
        self.wait(f"location.href === {json.dumps(address)} && document.readyState === 'complete'")

    def wait(self, condition: str, seconds: float = PATIENCE) -> None:
        """Wait until a JavaScript expression is true."""
        until = time.monotonic() + seconds
        while not self.run(condition):
            assert time.monotonic() < until, f"never true: {condition}"
            time.sleep(0.1)

    def resize(self, width: int, *, height: int = 844, mobile: bool = False) -> None:
        """Make the window as large as a screen, in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.ask("Emulation.setDeviceMetricsOverride", **size)

    def press(self, key: str) -> None:
        """Press and release a key, as a person does."""
        text = {"text": "\r"} if key == "Enter" else {}  # without it no button is pressed
        about = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key], **text}
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, **about)

    def close(self) -> None:
        """End the browser."""
        self._session = None
        self.ask("Browser.close")
        self.process.wait(timeout=60)
        os.close(self._in)
        os.close(self._out)


def contrast(page: Browser, place: str, marks: list[tuple[str, str]]) -> float:
    """The smallest contrast of the marks within the element `place` (`contrast.js`)."""
    script = (Path(__file__).parent / "contrast.js").read_text("utf-8")
    given = ", ".join(map(json.dumps, (place, marks)))
    return page.run(f"({script[script.index('(place') :].strip()})({given})")
