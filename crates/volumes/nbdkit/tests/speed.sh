#!/usr/bin/env bash
# Measures volumes through NBD on tmpfs by fio: MB/s, and the server's CPU time per byte, compared with pure XTS, plain
# memory, nbdkit itself and the plugin without encryption. Then fio verifies its reads on that server.
# speed.sh [SECONDS for each]; MODULE=FILE and COMMAND=FILE name the builds.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
seconds=${1:-3}
module=$(realpath "${MODULE:-target/release/libnbdkit_bulat_plugin.so}")
command=${COMMAND:-target/release/bulat}
work=$(mktemp -d /dev/shm/bulat-speed.XXXXXX)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
umask 077
printf 'a password' > "$work/password"
cp "$module" "$work/nbdkit-bulat-plugin.so"
"$command" volume create -p "$work/password" --pbkdf pbkdf2 --iterations 1000 --size 272M "$work/4096"
"$command" volume create -p "$work/password" --pbkdf pbkdf2 --iterations 1000 --sector-size 512 --size 272M "$work/512"
head -c 256M /dev/zero > "$work/raw"
"$command" bench --no-peer --seconds 10 --json > "$work/bench"
python3 - "$work" <<'P'
import json, sys, time
bench = json.load(open(sys.argv[1] + "/bench"))
rate = {row["algorithm"]: row["bytes_per_second"] for row in bench["rows"]}["kuznyechik-xts"]
open(sys.argv[1] + "/xts", "w").write(str(1e9 / rate))
print(f"{bench['processor']}; pure XTS on one core: {1e9 / rate:.3f} ns/byte, {rate / 1e6:.0f} MB/s")
a, b = bytes(range(256)) * (1 << 20), bytearray(256 << 20)
took = []
for _ in range(5):
    begun = time.perf_counter()
    b[:] = a
    took.append((time.perf_counter() - begun) * 1e9 / len(a))
print(f"memory, a copy of 256 MiB: {min(took):.3f} ns/byte")
P
ticks() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }
work_of() { # FIO-PARAMETER...
    fio --output-format=json --ioengine=nbd --uri="nbd+unix:///?socket=$work/socket" --offset_increment=128M --numjobs=2 \
        --iodepth=32 --group_reporting --name=speed "$@" > "$work/fio" 2> "$work/said" || { cat "$work/said" "$work/fio"; exit 1; }
}
printf '\n%-26s %-10s %6s %8s %10s %14s %16s\n' server access block MB/s "of none" "CPU, ns/byte" "to XTS (beside)"
run() { # NAME KIND PLUGIN...
    local name=$1 kind=$2 access size before
    shift 2
    rm -f "$work/socket"
    nbdkit -f -U "$work/socket" "$@" &
    server=$!
    until [ -e "$work/socket" ]; do sleep 0.02; done
    for size in 128k 4k; do
        for access in randwrite randread randrw; do
            before=$(ticks)
            work_of --rw=$access --bs=$size --size=128M --time_based --runtime="$seconds"
            python3 - "$work" "$name" "$kind" $access $size $(($(ticks) - before)) "$(getconf CLK_TCK)" <<'P'
import json, os, sys
work, name, kind, access, size, ticks, hz = sys.argv[1:]
text = open(work + "/fio").read()
job = json.loads(text[text.index("{"):])["jobs"][0]
done = job["read"]["io_bytes"] + job["write"]["io_bytes"]
rate = (job["read"]["bw_bytes"] + job["write"]["bw_bytes"]) / 1e6
cpu = int(ticks) / int(hz) * 1e9 / done
xts = float(open(work + "/xts").read())
# The plugin's speed without encryption, from an earlier run.
kept = f"{work}/none-{access}-{size}"
if kind == "none":
    open(kept, "w").write(f"{rate} {cpu}")
share = times = ""
if kind == "xts":
    none, rest = map(float, open(kept).read().split())
    share, times = f"{rate / none * 100:.0f} %", f"{cpu / xts:.2f} ({(cpu - rest) / xts:.2f})"
print(f"{name:26} {access:10} {size:>6} {rate:8.0f} {share:>10} {cpu:14.3f} {times:>16}")
P
        done
        work_of --rw=randrw --bs=$size --size=32M --verify=crc32c --verify_state_save=0
    done
    echo "$name: random 4k and 128k, mixed, depth 32, two jobs, read back: every checksum right; at most $(awk '/VmHWM/ { print $2 }' "/proc/$server/status") KiB of memory"
    kill $server
    wait $server 2>/dev/null || true
}
run "nbdkit file" file file "$work/raw"
run "bulat, no encryption" none "$work/nbdkit-bulat-plugin.so" "$work/raw" type=none
run "bulat, sectors of 4096" xts "$work/nbdkit-bulat-plugin.so" "$work/4096" password-file="$work/password"
run "bulat, sectors of 512" xts "$work/nbdkit-bulat-plugin.so" "$work/512" password-file="$work/password"
