"""The baseline of the browser tier: bare navigation, no capture.

Loads every URL of a list in chromium-headless-shell, a fresh context per page, several at once,
until the page's network is idle; nothing is recorded. `bare.py SHELL ADDR:PORT URLS [AT_ONCE]`
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile

FLAGS = """--disable-gpu --in-process-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --hide-scrollbars --ignore-certificate-errors
--window-size=1366,900 --remote-debugging-pipe""".split()
DEADLINE = 60
NOBODY = 65534


class Chromium:
    """A browser and its debugging pipe."""

    def __init__(self, shell, address):
        self.home = tempfile.mkdtemp()
        os.chown(self.home, NOBODY, NOBODY)
        command = [shell, *FLAGS, f"--user-data-dir={self.home}", f"--host-resolver-rules=MAP * {address}"]
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        words = ["/bin/sh", "-c", f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}', *command]
        self.child = subprocess.Popen(
            words, pass_fds=(to_browser, from_browser), user=NOBODY, group=NOBODY, extra_groups=[],
            env={"HOME": self.home, "PATH": os.environ["PATH"]},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.waiting, self.listeners = 0, {}, {}

    async def listen(self):
        reader = asyncio.StreamReader(limit=1 << 28)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(self.answers, "rb"))
        while True:
            try:
                message = json.loads((await reader.readuntil(b"\0"))[:-1])
            except asyncio.IncompleteReadError:
                return
            if "id" in message:
                self.waiting.pop(message["id"]).set_result(message.get("result", {}))
            elif message.get("sessionId") in self.listeners:
                self.listeners[message["sessionId"]](message)

    async def ask(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.waiting[self.number] = asyncio.get_running_loop().create_future()
        answer = self.waiting[self.number]
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        return await answer

    async def load(self, url):
        context = (await self.ask("Target.createBrowserContext", disposeOnDetach=True))["browserContextId"]
        target = (await self.ask("Target.createTarget", url="about:blank", browserContextId=context))["targetId"]
        session = (await self.ask("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        idle = asyncio.Event()

        def heard(message):
            if message["method"] == "Page.lifecycleEvent" and message["params"]["name"] == "networkIdle":
                if started:
                    idle.set()

        started = False
        self.listeners[session] = heard
        await self.ask("Page.enable", session)
        await self.ask("Page.setLifecycleEventsEnabled", session, enabled=True)
        started = True
        await self.ask("Page.navigate", session, url=url)
        try:
            await asyncio.wait_for(idle.wait(), DEADLINE)
        except asyncio.TimeoutError:
            print(f"not idle: {url}", file=sys.stderr)
        await self.ask("Target.closeTarget", targetId=target)
        await self.ask("Target.disposeBrowserContext", browserContextId=context)
        del self.listeners[session]

    def close(self):
        os.close(self.commands)
        self.child.wait(10)
        shutil.rmtree(self.home, ignore_errors=True)


async def main(shell, address, urls, at_once):
    browser = Chromium(shell, address)
    listening = asyncio.create_task(browser.listen())
    with open(urls) as lines:
        waiting = [line.strip() for line in lines if line.strip()][::-1]

    async def work():
        while waiting:
            await browser.load(waiting.pop())

    await asyncio.gather(*[work() for _ in range(at_once)])
    browser.close()
    listening.cancel()


if __name__ == "__main__":
    shell, address, urls = sys.argv[1:4]
    asyncio.run(main(shell, address, urls, int(sys.argv[4]) if len(sys.argv) > 4 else 4))
