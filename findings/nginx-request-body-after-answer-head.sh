#!/usr/bin/env bash
# nginx, proxy_pass: once the head of the answer has come, nginx sends no more of the request's body. grpc_pass goes on.
#
# Packages: nginx 1.22.1-9+deb12u11 of Debian 12 (apt-get download, unpacked in a temporary folder), hypercorn 0.18.0 (PyPI) as a service
#   that answers HTTP/1.1 and HTTP/2 without TLS; seen on 2026-11-28.
# Input: POST with 40000000 bytes, of known length and in chunks, from a client that reads while it sends. /early answers at once, and
#   returns each piece as it arrives; /late reads the whole body first. Through proxy_pass with proxy_http_version 1.1, with nginx's
#   buffers and without (proxy_request_buffering off, proxy_buffering off), and through grpc_pass, which needs no gRPC in the bodies.
# Behaviour: by proxy_pass a service that answers early gets a part of the body, and then nothing: nginx waits for the rest of the answer
#   until proxy_read_timeout, also when it has the whole body in a file of its own. The status is 200, and the client misses the rest. The
#   directives that turn the buffers off do not help. By grpc_pass all of it passes in both directions. A service that answers late
#   gets all in each way.
#
# Output seen:
#   nginx/1.22.1
#   proxy_pass, buffers on, /late: body whole
#   proxy_pass, buffers on, /early: body cut, 200, answer cut
#   proxy_pass, buffers off, /late: body whole
#   proxy_pass, buffers off, /early: body cut, 200, answer cut
#   grpc_pass, /late: body whole
#   grpc_pass, /early: body whole, 200, answer whole
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if a package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download nginx=1.22.1-9+deb12u11 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
dpkg-deb -x nginx_*.deb root
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check hypercorn==0.18.0 2>pip.log || { tail -3 pip.log; exit 2; }
cat >app.py <<'PY'
seen = open("seen", "a", buffering=1)


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    early, size = scope["path"] == "/early", 0
    head = {"type": "http.response.start", "status": 200, "headers": []}
    if early:
        await send(head)
    while True:
        piece = await receive()
        if piece["type"] == "http.disconnect":
            print(size, file=seen)
            return
        size += len(piece["body"])
        if early:
            await send({"type": "http.response.body", "body": piece["body"], "more_body": True})
        if not piece["more_body"]:
            break
    if not early:
        await send(head)
    print(size, file=seen)
    await send({"type": "http.response.body", "body": b""})
PY
cat >run.py <<'PY'
import http.client
import os
import re
import socket
import subprocess
import threading
import time

SIZE = 40_000_000


def port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


service, on, off, grpc = (port() for _ in range(4))
buffers = "proxy_request_buffering off; proxy_buffering off;"
hosts = [(on, f"proxy_pass http://127.0.0.1:{service}; proxy_http_version 1.1;")]
hosts += [(off, hosts[0][1] + buffers), (grpc, f"grpc_pass grpc://127.0.0.1:{service};")]
folders = "".join(f"{name}_temp_path {os.getcwd()}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
places = "".join(f"server {{ listen 127.0.0.1:{at}; location / {{ {how} }} }}" for at, how in hosts)
more = "access_log off; client_max_body_size 0; proxy_read_timeout 5s; grpc_read_timeout 30s;"
with open("nginx.conf", "w") as file:
    user = "user root;" if os.getuid() == 0 else ""
    file.write(f"daemon off; {user} pid {os.getcwd()}/pid; error_log {os.getcwd()}/log; events {{}} http {{ {more} {folders} {places} }}")
nginx = "root/usr/sbin/nginx"
version = re.search(r"nginx/[0-9.]+", subprocess.run([nginx, "-v"], capture_output=True, text=True).stderr)[0]


def ask(at, path, chunked):
    """Returns the status, and the bytes of the answer; sends while it reads."""
    one = socket.create_connection(("127.0.0.1", at), timeout=60)
    how = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {SIZE}"
    one.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{how}\r\n\r\n".encode())

    def send():
        piece = bytes(50_000)
        try:
            for _ in range(SIZE // len(piece)):
                one.sendall(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
            one.sendall(b"0\r\n\r\n" if chunked else b"")
        except OSError:
            pass

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    answer, size = http.client.HTTPResponse(one, method="POST"), 0
    answer.begin()
    try:
        while piece := answer.read(1 << 16):
            size += len(piece)
        whole = size == SIZE
    except (http.client.HTTPException, OSError):
        whole = False
    status = answer.status
    one.shutdown(socket.SHUT_RDWR)
    sender.join(10)
    return status, whole


lines = [version]
children = [subprocess.Popen(["venv/bin/hypercorn", "-b", f"127.0.0.1:{service}", "app:app"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
children.append(subprocess.Popen([nginx, "-c", os.getcwd() + "/nginx.conf"], stderr=subprocess.DEVNULL))
try:
    for at in (service, on):
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", at)).close()
                break
            except OSError:
                time.sleep(0.1)
    for name, at in (("proxy_pass, buffers on", on), ("proxy_pass, buffers off", off), ("grpc_pass", grpc)):
        for path in ("/late", "/early"):
            found = set()
            for chunked in (False, True):
                open("seen", "w").close()
                status, whole = ask(at, path, chunked)
                for _ in range(100):
                    sizes = open("seen").read().split()
                    if sizes:
                        break
                    time.sleep(0.1)
                body = "whole" if sizes == [str(SIZE)] else "cut"
                found.add(f"body {body}" + (f", {status}, answer {'whole' if whole else 'cut'}" if path == "/early" else ""))
            lines.append(f"{name}, {path}: {' or '.join(sorted(found))}")
finally:
    for child in children:
        child.terminate()
        child.wait()
print("\n".join(lines))
want = """nginx/1.22.1
proxy_pass, buffers on, /late: body whole
proxy_pass, buffers on, /early: body cut, 200, answer cut
proxy_pass, buffers off, /late: body whole
proxy_pass, buffers off, /early: body cut, 200, answer cut
grpc_pass, /late: body whole
grpc_pass, /early: body whole, 200, answer whole"""
raise SystemExit("\n".join(lines) != want)
PY
venv/bin/python run.py
