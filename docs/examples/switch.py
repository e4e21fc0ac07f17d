#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client of a running switch, with nothing but Python's standard library.

    sluice serve --chip model:tables --port 0=udp:5000,vlan=5 --port 3=cpu --control /tmp/switch &
    python3 switch.py /tmp/switch list
    python3 switch.py /tmp/switch state vid=9 array=count first=0 count=2
    python3 switch.py /tmp/switch events              # prints each as it comes

As a module: Switch("/tmp/switch").ask("remove", vid=9); docs/control.md has every request.
"""
import json
import socket
import sys


class Refused(Exception):
    """The switch says no: `status` is a word of docs/control.md, "not_found"."""

    def __init__(self, answer):
        super().__init__(answer["error"])
        self.status = answer["status"]


class Switch:
    def __init__(self, path):
        self.path, connection = path, socket.socket(socket.AF_UNIX)
        connection.connect(path)
        self.stream = connection.makefile("rw", encoding="utf-8", newline="\n")
        self.greeting = json.loads(self.stream.readline())
        if self.greeting.get("protocol") != 1:
            raise ConnectionError(f"'{path}' is no switch of protocol 1")

    def ask(self, verb, **members):
        print(json.dumps({"do": verb, **members}), file=self.stream, flush=True)
        line = self.stream.readline()
        if not line:
            raise ConnectionError("the switch is gone")
        answer = json.loads(line)
        if not answer["ok"]:
            raise Refused(answer)
        return answer

    def events(self):
        """Packets of the CPU port, as they come; on a connection of its own."""
        other = Switch(self.path)
        while True:
            for event in other.ask("event", wait=True)["events"]:
                yield event["vid"], event["ticket"], bytes.fromhex(event["bytes"])


def main(path, verb, *words):
    switch = Switch(path)
    if verb == "events":
        for vid, ticket, packet in switch.events():
            print(vid, ticket, packet.hex(), flush=True)
    members = dict(word.split("=", 1) for word in words)
    print(json.dumps(switch.ask(verb, **{k: int(v) if v.lstrip("-").isdigit() else v for k, v in members.items()})))


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (Refused, OSError) as error:
        sys.exit(f"{getattr(error, 'status', 'io')}: {error}")
