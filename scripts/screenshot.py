"""Takes a picture of a page that never stops loading: `screenshot.py URL OUT.png WIDTH [dark]`.

Chromium's own `--screenshot` shows the first moment of a page. Here the page has a few seconds
before its picture is taken: all of it, or the beginning of a very long one.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import time

WAIT = 4
HEIGHT = 900
MOST = 1400


class Chromium:
    """Chromium over its debugging pipe: descriptor 3 for orders, 4 for answers."""

    def __init__(self, profile):
        orders, self.orders = os.pipe()
        self.answers, answers = os.pipe()
        shell = f"exec chromium-headless-shell \"$@\" 3<&{orders} 4>&{answers} 2>/dev/null"
        flags = ["--remote-debugging-pipe", f"--user-data-dir={profile}", "--hide-scrollbars"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        self.process = subprocess.Popen(["bash", "-c", shell, "sh", *flags], pass_fds=(orders, answers))
        os.close(orders)
        os.close(answers)
        self.last, self.session, self.waiting = 0, None, b""

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.orders, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                return answer["result"]

    def message(self):
        while b"\0" not in self.waiting:
            self.waiting += os.read(self.answers, 1 << 20)
        first, self.waiting = self.waiting.split(b"\0", 1)
        return json.loads(first)


def beyond(size):
    """How to see what does not fit into the window; frames of other origins are seen only in it."""
    if size["height"] <= HEIGHT:
        return {}
    height = min(size["height"], MOST)
    clip = {"x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1}
    return {"captureBeyondViewport": True, "clip": clip}


def main():
    url, target, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        chromium = Chromium(profile)
        page = chromium.call("Target.createTarget", url="about:blank")["targetId"]
        chromium.session = chromium.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        chromium.call("Emulation.setDeviceMetricsOverride", width=width, height=HEIGHT, deviceScaleFactor=1, mobile=width < 600)
        scheme = "dark" if "dark" in sys.argv else "light"
        chromium.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        chromium.call("Page.navigate", url=url)
        time.sleep(WAIT)
        size = chromium.call("Page.getLayoutMetrics")["cssContentSize"]
        shot = chromium.call("Page.captureScreenshot", **beyond(size))
        with open(target, "wb") as out:
            out.write(base64.b64decode(shot["data"]))
        chromium.session = None
        chromium.call("Browser.close")
        chromium.process.wait(10)


main()
