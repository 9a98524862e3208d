#!/usr/bin/env python3
"""A double of bulat-esp for tests of the plugin: its control socket and UDP ports, without TUN device and ciphers.

    double.py SOCKET [--port 4500] [--tun NAME] [--mark N]

It checks each request strictly, prints the requests (keys only by their length), and passes IKE messages on. Lines of
its standard input are events for subscribers, with `;` for a line's end: `expire;spi=0xc0000001;...`.
"""

import argparse
import ipaddress
import os
import random
import selectors
import socket
import struct
import sys
import time

# <linux/in.h>, which older Pythons lack
IP_PKTINFO = 8
KEYS = {"32": 88, "33": 72, "34": 88, "35": 72}
LIMITS = [f"{kind}-{unit}" for kind in ("soft", "hard") for unit in ("bytes", "packets", "seconds")]
POLICY = ("direction source destination", "protocol source-ports destination-ports")
# verb: fields that are needed, fields that may be there
VERBS = {
    "hello": ("", ""),
    "spi": ("destination", ""),
    "add": ("direction spi source destination transform key reqid",
            "esn ports queue window tfc copy-dscp mtu " + " ".join(LIMITS)),
    "update": ("spi destination new-source new-destination new-ports", ""),
    "query": ("spi destination", ""),
    "delete": ("spi destination", ""),
    "flush": ("", ""),
    "policy-add": (POLICY[0] + " reqid tunnel-source tunnel-destination", POLICY[1] + " priority"),
    "policy-query": POLICY,
    "policy-delete": (POLICY[0] + " reqid", POLICY[1]),
    "policy-flush": ("", ""),
    "subscribe": ("", ""),
    "ike": ("", ""),
}


class Refused(Exception):
    """An answer of the kind `error`."""

    def __init__(self, reason, field=""):
        super().__init__(f"error\nreason={reason}" + (f"\nfield={field}" if field else ""))


def parse(text):
    """The verb and the fields of a request."""
    verb, *lines = text.split("\n")
    if verb not in VERBS:
        raise Refused("unknown-verb")
    needed, allowed = (names.split() for names in VERBS[verb])
    fields = {}
    for line in lines:
        name, equals, value = line.partition("=")
        if not equals or name not in needed + allowed or name in fields:
            raise Refused("unknown-field", name)
        fields[name] = value
    for name in needed:
        if name not in fields:
            raise Refused("missing-field", name)
    for name, value in fields.items():
        try:
            check(name, value, fields)
        except ValueError:
            raise Refused("bad-value", name) from None
    return verb, fields


def check(name, value, fields):
    """Refuses a wrong value by ValueError."""
    if name in ("source", "destination") and "tunnel-source" not in fields and "/" in value:
        ipaddress.ip_network(value)
    elif name in ("source", "destination") and "/" in value:
        ipaddress.ip_network(value)
    elif name.endswith(("source", "destination")):
        ipaddress.ip_address(value)
    elif name == "spi":
        if int(value, 16) < 256 or not value.startswith("0x"):
            raise ValueError
    elif name == "key":
        if len(bytes.fromhex(value)) * 2 != KEYS[fields["transform"]]:
            raise ValueError
    elif name == "direction":
        if value not in ("in", "out", "forward"):
            raise ValueError
    elif name in ("ports", "new-ports"):
        if value != "none" or name == "ports":
            local, remote = map(int, value.split(":"))
            if not 0 < local < 65536 or not 0 < remote < 65536:
                raise ValueError
    elif name.endswith("-ports"):
        first, last = map(int, value.split("-"))
        if first > last:
            raise ValueError
    elif name == "tfc" and value == "mtu":
        pass
    else:
        int(value)


class Double:
    """The state of the double."""

    def __init__(self, options):
        self.options = options
        self.sas, self.policies = {}, {}
        self.listeners, self.ike = set(), None
        self.loop = selectors.DefaultSelector()
        if os.path.exists(options.socket):
            os.unlink(options.socket)
        self.control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.bind(options.socket)
        os.chmod(options.socket, 0o600)
        self.control.listen()
        self.loop.register(self.control, selectors.EVENT_READ, self.accept)
        self.udp = {}
        for family, level, option in ((socket.AF_INET, socket.IPPROTO_IP, IP_PKTINFO),
                                      (socket.AF_INET6, socket.IPPROTO_IPV6, socket.IPV6_RECVPKTINFO)):
            port = socket.socket(family, socket.SOCK_DGRAM)
            if family == socket.AF_INET6:
                port.setsockopt(level, socket.IPV6_V6ONLY, 1)
            port.setsockopt(level, option, 1)
            if options.mark:
                port.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, options.mark)
            port.bind(("", options.port))
            self.udp[family] = port
            self.loop.register(port, selectors.EVENT_READ, self.receive)
        self.loop.register(sys.stdin, selectors.EVENT_READ, self.event)

    def run(self):
        """Serves until it is killed."""
        while True:
            for key, _ in self.loop.select():
                key.data(key.fileobj)

    def accept(self, listener):
        connection, _ = listener.accept()
        self.loop.register(connection, selectors.EVENT_READ, self.request)

    def close(self, connection):
        self.loop.unregister(connection)
        self.listeners.discard(connection)
        if self.ike is connection:
            self.ike = None
        connection.close()

    def event(self, standard):
        line = standard.readline()
        if not line:
            self.loop.unregister(standard)
            return
        for listener in self.listeners:
            listener.send(line.strip().replace(";", "\n").encode())

    def request(self, connection):
        try:
            message = connection.recv(1 << 17)
        except ConnectionError:
            message = b""
        if not message:
            self.close(connection)
        elif self.ike is connection:
            self.send(message)
        else:
            shown = [line if not line.startswith("key=") else f"key={len(line) // 2 - 2} bytes"
                     for line in message.decode().split("\n")]
            try:
                answer = self.answer(connection, *parse(message.decode()))
            except Refused as refusal:
                answer = str(refusal)
            print(" ".join(shown), "->", answer.replace("\n", " "), flush=True)
            connection.send(answer.encode())

    def answer(self, connection, verb, fields):
        options = self.options
        if verb == "hello":
            return (f"ok\nversion=1\ntun={options.tun}\nqueues=1\nports={options.port}\n"
                    f"transforms=32,33,34,35\nmark={options.mark}")
        if verb == "spi":
            return f"ok\nspi=0x{random.randrange(0xc0000000, 0xd0000000):08x}"
        if verb == "subscribe":
            self.listeners.add(connection)
        elif verb == "ike":
            if self.ike:
                self.close(self.ike)
            self.ike = connection
        elif verb == "flush":
            self.sas.clear()
        elif verb == "policy-flush":
            self.policies.clear()
        elif verb.startswith("policy"):
            return self.policy(verb, fields)
        else:
            return self.sa(verb, fields)
        return "ok"

    def sa(self, verb, fields):
        name = fields["spi"], fields["destination"]
        if verb == "add":
            if name in self.sas:
                raise Refused("exists", "spi")
            if fields.get("ports", f"{self.options.port}:").split(":")[0] != str(self.options.port):
                raise Refused("bad-value", "ports")
            self.sas[name] = fields
            return "ok"
        if name not in self.sas:
            raise Refused("not-found")
        if verb == "update":
            fields = {**self.sas.pop(name), "source": fields["new-source"], "destination": fields["new-destination"],
                      "ports": fields["new-ports"]}
            self.sas[fields["spi"], fields["destination"]] = fields
            return "ok"
        if verb == "delete":
            del self.sas[name]
        return f"ok\nbytes=100\npackets=1\nused={int(time.time())}"

    def policy(self, verb, fields):
        name = tuple(fields.get(field) for field in " ".join(POLICY).split())
        users = self.policies.setdefault(name, {})
        reqid = fields.get("reqid")
        if verb == "policy-add":
            users[reqid] = users.get(reqid, 0) + 1
            return "ok"
        if not users or reqid and reqid not in users:
            raise Refused("not-found")
        if verb == "policy-delete":
            users[reqid] -= 1
            if not users[reqid]:
                del users[reqid]
            return "ok"
        return f"ok\nused={int(time.time())}"

    def receive(self, port):
        data, control, _, source = port.recvmsg(65536, 256)
        local = "0.0.0.0"
        for _, kind, value in control:
            if port.family == socket.AF_INET and kind == IP_PKTINFO:
                local = socket.inet_ntop(socket.AF_INET, value[8:12])
            elif port.family == socket.AF_INET6 and kind == socket.IPV6_PKTINFO:
                local = "[" + socket.inet_ntop(socket.AF_INET6, value[:16]) + "]"
        remote = source[0] if port.family == socket.AF_INET else f"[{source[0]}]"
        if data[:4] == bytes(4) and self.ike:
            line = f"local={local}:{self.options.port} remote={remote}:{source[1]} dscp=0\n"
            self.ike.send(line.encode() + data[4:])
        else:
            print("datagram", len(data), data[:1].hex(), flush=True)

    def send(self, message):
        line, _, data = message.partition(b"\n")
        fields = dict(field.split("=") for field in line.decode().split(" "))
        address, _, port = fields["remote"].rpartition(":")
        family = socket.AF_INET6 if "[" in address else socket.AF_INET
        local = fields["local"].rpartition(":")[0].strip("[]")
        if family == socket.AF_INET:
            control = [(socket.IPPROTO_IP, IP_PKTINFO, struct.pack("=I4s4s", 0, socket.inet_aton(local), bytes(4)))]
        else:
            control = [(socket.IPPROTO_IPV6, socket.IPV6_PKTINFO,
                        socket.inet_pton(family, local) + struct.pack("=I", 0))]
        print("ike", line.decode(), len(data), flush=True)
        data = data if data == b"\xff" else bytes(4) + data
        self.udp[family].sendmsg([data], control, 0, (address.strip("[]"), int(port)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("socket")
    parser.add_argument("--port", type=int, default=4500)
    parser.add_argument("--tun", default="bulat0")
    parser.add_argument("--mark", type=int, default=0)
    Double(parser.parse_args()).run()


main()
