#!/usr/bin/env bash
# Volumes through NBD on tmpfs, by fio: MB/s, and the server's CPU time per byte, beside the same plugin without encryption
# and nbdkit's own. speed.sh [SECONDS for each] ; MODULE=FILE and COMMAND=FILE name the builds.
set -euo pipefail
cd "$(dirname "$0")/../../.."
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
ticks() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }
printf '%-26s %-10s %6s  %8s  %s\n' server access block MB/s 'CPU ns/byte of the server'
run() { # NAME PLUGIN...
    local name=$1 access size before after
    shift
    rm -f "$work/socket"
    nbdkit -f -U "$work/socket" "$@" &
    server=$!
    until [ -e "$work/socket" ]; do sleep 0.02; done
    for size in 128k 4k; do
        for access in randwrite randread randrw; do
            before=$(ticks)
            fio --output-format=json --ioengine=nbd --uri="nbd+unix:///?socket=$work/socket" --rw=$access --bs=$size --size=128M \
                --offset_increment=128M --numjobs=2 --iodepth=32 --time_based --runtime="$seconds" --group_reporting --name=speed > "$work/fio" 2>/dev/null
            after=$(ticks)
            python3 - "$work/fio" "$name" $access $size $((after - before)) "$(getconf CLK_TCK)" <<'P'
import json, sys
file, name, access, size, ticks, hz = sys.argv[1:]
text = open(file).read()
job = json.loads(text[text.index("{"):])["jobs"][0]
done = job["read"]["io_bytes"] + job["write"]["io_bytes"]
rate = (job["read"]["bw_bytes"] + job["write"]["bw_bytes"]) / 1e6
print(f"{name:26} {access:10} {size:>6}  {rate:8.0f}  {int(ticks) / int(hz) * 1e9 / done:.3f}")
P
        done
    done
    kill $server
    wait $server 2>/dev/null || true
}
run "nbdkit file" file "$work/raw"
run "bulat, no encryption" "$work/nbdkit-bulat-plugin.so" "$work/raw" type=none
run "bulat, sectors of 4096" "$work/nbdkit-bulat-plugin.so" "$work/4096" password-file="$work/password"
run "bulat, sectors of 512" "$work/nbdkit-bulat-plugin.so" "$work/512" password-file="$work/password"
