#!/usr/bin/env bash
# Encrypted volumes with real programs: cryptsetup, nbdkit, libnbd, qemu, FUSE and ext4, iSCSI, fio.
# It names missing programs. MODULE=FILE and COMMAND=FILE test those builds of plugin and command.
source "$(dirname "$0")/common"
module=${MODULE:-$(newest libnbdkit_bulat_plugin.so)}
command=${COMMAND:-$(newest bulat)}
if [ -z "$module" ] || [ -z "$command" ]; then
    cargo build --release -p bulat-cli -p nbdkit-bulat-plugin
    module=$target/release/libnbdkit_bulat_plugin.so command=$target/release/bulat
fi
tools/ci/apt cryptsetup-bin nbdkit nbdkit-plugin-dev libnbd-bin nbdfuse qemu-utils qemu-block-extra qemu-system-x86 fio tgt \
    libiscsi-bin e2fsprogs fuse3
have nbdkit "everything here" nbdkit || exit 0

work=$(mktemp -d)
pids=()
clean() {
    umount "$work/ext4" 2>/dev/null || true
    if [ -n "${loop:-}" ]; then losetup -d "$loop" 2>/dev/null || true; fi
    fusermount3 -u "$work/fuse" 2>/dev/null || true
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean EXIT
umask 077
plugin=$work/nbdkit-bulat-plugin.so
cp "$module" "$plugin"
bulat() { "$command" "$@"; }
passed=0
good() { passed=$((passed + 1)); echo "$1"; }
same() { # WHAT FILE FILE
    cmp -s "$2" "$3" || { echo "WRONG: $1"; exit 1; }
    good "$1"
}
waited() { # FILE
    for _ in $(seq 1200); do if [ -e "$1" ]; then return; fi; sleep 0.05; done
    echo "WRONG: $1 does not appear"
    exit 1
}
# A server in the background may hold its volume a moment longer.
freed() { # VOLUME
    for _ in $(seq 1200); do if flock -n "$1" true; then return; fi; sleep 0.05; done
    echo "WRONG: $1 is not released"
    exit 1
}
# /dev/fuse may exist and be forbidden.
fuse() { [ "$(id -u)" = 0 ] && (exec 3<>/dev/fuse) 2>/dev/null; }
iscsi() { qemu-img --help | grep iscsi >/dev/null || [ -n "$(find /usr/lib -name block-iscsi.so 2>/dev/null)" ]; }
# Runs a command with $uri, the NBD of a volume.
with() { # VOLUME [PARAMETER=VALUE...] -- COMMAND
    local volume=$1 parameters=()
    shift
    while [ "$1" != -- ]; do parameters+=("$1"); shift; done
    nbdkit -U - "$plugin" file="$volume" "${parameters[@]}" --run "$2"
}
printf 'a password' > "$work/password"
cheap="--pbkdf pbkdf2 --iterations 1000 -p $work/password"

if [ -e /usr/include/nbdkit-plugin.h ] && command -v cc >/dev/null; then
    cc -fsyntax-only crates/volumes/nbdkit/tests/layout.c
    good "the table of calls equals the C header's"
else
    echo "skipped: the C header: no cc or no nbdkit-plugin.h (apt-get install gcc nbdkit-plugin-dev)"
fi

# A volume: cryptsetup accepts it; copies go in and out.
# shellcheck disable=SC2086
bulat volume create $cheap --size 24M "$work/volume"
if have cryptsetup "cryptsetup" cryptsetup-bin; then
    cryptsetup luksDump "$work/volume" | grep "cipher: kuznyechik-xts-plain64" >/dev/null
    cryptsetup open --test-passphrase --key-file "$work/password" "$work/volume"
    good "cryptsetup accepts the header and the password"
fi
head -c 8M /dev/urandom > "$work/data"
if have nbdcopy "libnbd" libnbd-bin; then
    with "$work/volume" password-file="$work/password" -- "nbdinfo \$uri" > "$work/info"
    for word in "export-size: 8388608" "can_fua: true" "can_multi_conn: true" "can_trim: false" "block_size_preferred: 4096"; do
        grep -q "$word" "$work/info" || { echo "WRONG: nbdinfo: no $word"; cat "$work/info"; exit 1; }
    done
    with "$work/volume" password-file="$work/password" -- "nbdcopy $work/data \$uri"
    with "$work/volume" password-file="$work/password" readonly=true -- "nbdcopy \$uri $work/back"
    same "nbdinfo, nbdcopy there and back" "$work/data" "$work/back"
    with "$work/volume" password-file="$work/password" discard=true extents=true -- "nbdinfo \$uri" | grep "can_trim: true" >/dev/null
    if with "$work/volume" password="$(cat "$work/password")" -- true 2> "$work/said"; then exit 1; fi
    grep -q "other users" "$work/said"
    good "no password on the command line"
fi
if have qemu-img "qemu" qemu-utils; then
    with "$work/volume" password-file="$work/password" -- "qemu-img compare -f raw -F raw $work/data \$uri" >/dev/null
    # Parts of sectors, at odd offsets, next to others. $work/data gets equal changes.
    with "$work/volume" password-file="$work/password" -- "qemu-io -f raw -c 'write -P 7 1000 5000' -c 'write -z 20000 3' \
        -c 'write -P 9 3M 1M' -c 'read -P 7 1000 5000' -c 'read -P 0 20000 3' -c 'read -P 9 3M 1M' -c flush \$uri" > "$work/said"
    if grep failed "$work/said"; then exit 1; fi
    put() { head -c "$3" /dev/zero | tr '\0' "$2" | dd of="$work/data" bs=64K oflag=seek_bytes seek="$1" conv=notrunc status=none; }
    put 1000 '\7' 5000
    put 20000 '\0' 3
    put 3145728 '\11' 1048576
    with "$work/volume" password-file="$work/password" -- "qemu-img convert -f raw -O raw \$uri $work/back"
    same "qemu-img, qemu-io with parts of sectors" "$work/data" "$work/back"
fi

# `bulat volume open` and a virtual machine, which boots from the volume: its boot sector writes to the debug port.
if have qemu-system-x86_64 "a virtual machine" qemu-system-x86 && have nbdcopy "a virtual machine" libnbd-bin; then
    {
        # for each letter: mov al, it; out 0xe9, al. Then out 0xf4, al, which ends the machine; then jmp $.
        for letter in b u l a t; do printf '\xb0%s\xe6\xe9' $letter; done
        printf '\xe6\xf4\xeb\xfe'
        head -c 486 /dev/zero
        printf '\x55\xaa'
    } > "$work/boot"
    (umask 0; exec "$command" volume open -p "$work/password" --socket "$work/socket" --plugin "$plugin" "$work/volume") &
    pids+=($!)
    waited "$work/socket"
    # Only the owner may use the socket: connecting needs the right to write.
    if [ $((0$(stat -c %a "$work/socket") & 022)) != 0 ]; then echo "WRONG: others may use the socket"; exit 1; fi
    # The command line, which other users can see.
    if tr '\0' ' ' < "/proc/$!/cmdline" | grep "a password" >/dev/null; then echo "WRONG: the password is on the command line"; exit 1; fi
    nbdcopy "$work/boot" "nbd+unix:///?socket=$work/socket"
    timeout 180 qemu-system-x86_64 -display none -net none -debugcon "file:$work/debug" -device isa-debug-exit,iobase=0xf4 \
        -drive "file=nbd:unix:$work/socket,format=raw,if=ide" || true
    kill "${pids[-1]}"
    wait "${pids[-1]}" || true
    grep -q 'bulat$' "$work/debug" || { echo "WRONG: the machine did not boot"; exit 1; }
    good "bulat volume open; a virtual machine boots from it"
fi

# The system lets go of a loop device's file later, if a different process has looked at the device, or if a mount namespace that
# other tests made meanwhile has a copy of the mount.
unfused() {
    for _ in $(seq 600); do
        if fusermount3 -u "$work/fuse" 2>/dev/null; then return; fi
        sleep 0.2
    done
    fusermount3 -u "$work/fuse"
}

# A filesystem, filled, unmounted, checked; only ciphertext below.
if fuse && [ -e /dev/loop-control ] && have nbdfuse "ext4" nbdfuse && have fusermount3 "ext4" fuse3 && have mkfs.ext4 "ext4" e2fsprogs; then
    # shellcheck disable=SC2086
    bulat volume create $cheap --size "${DISK:-200M}" "$work/disk"
    mkdir "$work/fuse" "$work/ext4"
    mounted() {
        nbdfuse "$work/fuse/disk" --command nbdkit -s -- "$plugin" "$work/disk" password-file="$work/password" &
        pids+=($!)
        waited "$work/fuse/disk"
        loop=$(losetup -f --show "$work/fuse/disk" 2>"$work/said") || { echo "skipped: ext4: $(cat "$work/said")"; loop=; return 1; }
    }
    ended() {
        umount "$work/ext4"
        losetup -d "$loop"
        loop=
        unfused
        wait "${pids[-1]}" || true
        freed "$work/disk"
    }
    if mounted && { mkfs.ext4 -q "$loop" || exit 1; } && mount "$loop" "$work/ext4"; then
        # A word to search for in the file below.
        for n in $(seq 200); do yes "plaintext-of-the-disk $n" | head -c 100000 > "$work/ext4/$n" || true; done
        # Clone this project there, and build a part of it.
        if git clone -q . "$work/ext4/clone" 2> "$work/said"; then
            (cd "$work/ext4/clone" && cargo build -q --locked --target-dir "$work/ext4/clone/target" -p "${BUILD:-prove}")
            git -C "$work/ext4/clone" fsck --no-progress > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
            good "git clone, cargo build and git fsck on the ext4: $(find "$work/ext4/clone" -type f | wc -l) files"
        else
            echo "skipped: git clone: $(cat "$work/said")"
        fi
        (cd "$work/ext4" && find . -type f -print0 | sort -z | xargs -0 sha256sum) > "$work/sums"
        ended
        if grep -aq "plaintext-of-the-disk" "$work/disk"; then echo "WRONG: plaintext in the file below"; exit 1; fi
        mounted
        e2fsck -fn "$loop" > "$work/said" 2>&1 || { cat "$work/said"; exit 1; }
        mount -o ro "$loop" "$work/ext4"
        (cd "$work/ext4" && sha256sum --quiet -c "$work/sums")
        ended
        good "nbdfuse, a loop device, ext4: $(wc -l < "$work/sums") files there and back, e2fsck clean, no plaintext below"
    else
        if [ -n "$loop" ]; then
            losetup -d "$loop"
            loop=
            echo "skipped: ext4: no right to mount"
        fi
        unfused
        wait "${pids[-1]}" || true
    fi
else
    echo "skipped: ext4: it needs root, /dev/fuse and loop devices"
fi

# A block device with a filesystem is only overwritten with --force, and a mounted one never.
if [ "$(id -u)" = 0 ] && have mkfs.ext4 "a block device" e2fsprogs; then
    truncate -s 24M "$work/disk"
    mkfs.ext4 -qF "$work/disk"
    cp "$work/disk" "$work/before"
    bulat volume backup-header -o "$work/header" "$work/volume"
    if loop=$(losetup -f --show "$work/disk" 2>"$work/said"); then
        if bulat volume backup-header -o "$loop" "$work/volume" 2>"$work/said"; then exit 1; fi
        grep -q "block device" "$work/said"
        if bulat volume restore-header --from "$work/header" "$loop" 2>"$work/said"; then exit 1; fi
        grep -q "ext4" "$work/said"
        losetup -d "$loop"
        same "a block device keeps its filesystem" "$work/disk" "$work/before"
        loop=$(losetup -f --show "$work/disk")
        mkdir -p "$work/ext4"
        if mount "$loop" "$work/ext4"; then
            if bulat volume backup-header --force -o "$loop" "$work/volume" 2>"$work/said"; then exit 1; fi
            grep -q "is mounted" "$work/said"
            umount "$work/ext4"
            good "a mounted device is busy"
        else
            echo "skipped: a mounted device: no right to mount"
        fi
        losetup -d "$loop"
    else
        echo "skipped: a block device: $(cat "$work/said")"
    fi
    loop=
fi

# Pass-through for iSCSI: tgt exports the decrypted view, and a client in user space uses it.
if fuse && have tgtd "iSCSI" tgt && have nbdfuse "iSCSI" nbdfuse && have fusermount3 "iSCSI" fuse3 && have qemu-img "iSCSI" qemu-utils && iscsi; then
    mkdir -p "$work/fuse" "$work/tgt"
    nbdfuse "$work/fuse/disk" --command nbdkit -s -- "$plugin" "$work/volume" password-file="$work/password" &
    fuse=$!
    pids+=("$fuse")
    waited "$work/fuse/disk"
    port=$((10000 + RANDOM % 20000))
    control=$((1 + RANDOM % 30000))
    tgtd -f -C $control --iscsi portal=127.0.0.1:$port > "$work/tgtd" 2>&1 &
    daemon=$!
    pids+=("$daemon")
    admin() { tgtadm -C $control --lld iscsi "$@"; }
    for _ in $(seq 1200); do if admin --op show --mode sys >/dev/null 2>&1; then break; fi; sleep 0.05; done
    name=iqn.2026-11.bulat:disk
    admin --op new --mode target --tid 1 -T $name
    admin --op new --mode logicalunit --tid 1 --lun 1 -b "$work/fuse/disk"
    admin --op bind --mode target --tid 1 -I ALL
    disk=iscsi://127.0.0.1:$port/$name/1
    if command -v iscsi-inq >/dev/null; then iscsi-inq "$disk" | grep "DIRECT_ACCESS\|Peripheral" >/dev/null; fi
    head -c 8M /dev/urandom > "$work/data"
    qemu-img convert -n -f raw -O raw "$work/data" "$disk"
    qemu-img convert -f raw -O raw "$disk" "$work/back"
    same "iSCSI: tgt exports the decrypted view, qemu-img writes and reads it" "$work/data" "$work/back"
    admin --op delete --mode target --tid 1 --force
    admin --op delete --mode system >/dev/null 2>&1 || kill "$daemon"
    wait "$daemon" || true
    unfused
    wait "$fuse" || true
    freed "$work/volume"
    if have nbdcopy "iSCSI" libnbd-bin; then
        with "$work/volume" password-file="$work/password" -- "nbdcopy \$uri $work/back"
        same "iSCSI: the file below has the same data, as ciphertext" "$work/data" "$work/back"
    fi
else
    echo "skipped: iSCSI: it needs root, /dev/fuse, tgt, nbdfuse and qemu-img with iSCSI (apt-get install tgt nbdfuse qemu-block-extra)"
fi

# fio writes, reads and compares: random places, mixed, 32 requests at once, two jobs.
if have fio "fio" fio; then
    if fio --enghelp | grep nbd >/dev/null; then
        for size in 4k 128k; do
            with "$work/volume" password-file="$work/password" -- "fio --minimal --ioengine=nbd --uri=\$uri --rw=randrw --bs=$size \
                --size=4M --offset_increment=4M --numjobs=2 --iodepth=32 --verify=crc32c --verify_state_save=0 --loops=${LOOPS:-2} --name=verify" > "$work/said" ||
                { cat "$work/said"; echo "WRONG: fio"; exit 1; }
        done
        good "fio: random 4k and 128k, mixed, depth 32, two jobs: every checksum right"
    else
        echo "skipped: fio: it was built without libnbd"
    fi
fi

# Locks, parameters, refused writes, remains of a server.
volumes=${BULAT_VOLUMES:-../shared/vectors}
if have python3 "the edges" python3; then
    BULAT_VOLUMES=$volumes timeout 1800 python3 crates/volumes/nbdkit/tests/edges.py "$plugin" "$command"
    passed=$((passed + 1))
fi

# `bulat volume mount`: its errors, and kills at random moments.
if have python3 "volume mount" python3; then
    timeout 1800 python3 crates/volumes/nbdkit/tests/mounts.py "$command" "$plugin" "${KILLS_OF_MOUNTS:-8}"
    passed=$((passed + 1))
fi

# The unit of the documentation.
if have systemd-analyze "the systemd unit" systemd; then
    sed -n '/^\[Unit\]$/,/^WantedBy=/p' docs/STORAGE.md > "$work/disk.service"
    systemd-analyze verify "$work/disk.service" > "$work/said" 2>&1 && [ ! -s "$work/said" ] || { cat "$work/said"; echo "WRONG: the systemd unit"; exit 1; }
    good "the systemd unit of STORAGE.md is valid"
fi

# The server is killed under load.
cuts() { # KILLS OPTION...
    local kills=$1
    shift
    timeout 1800 python3 crates/volumes/nbdkit/tests/cuts.py "$kills" "$work/cut" nbdkit -f -U "$work/cut" "$@" "$plugin" "$work/cuts" password-file="$work/password"
}
if have python3 "the server killed" python3; then
    # shellcheck disable=SC2086
    bulat volume create $cheap --size 20M "$work/cuts"
    cuts "${KILLS:-25}"
    passed=$((passed + 1))
    # A control that must fail: writes go to a layer that dies with the server.
    if cuts 5 --filter=cow 2> "$work/said" || ! grep -q AssertionError "$work/said"; then
        echo "WRONG: the control did not fail"
        exit 1
    fi
fi

# Volumes of other programs, if a folder has them: a file of the ext4 in one of them.
if [ -e "$volumes/luks2/H.img.gz" ] && have debugfs "a filesystem of Linux" e2fsprogs && have nbdcopy "a filesystem of Linux" libnbd-bin; then
    gzip -dc "$volumes/luks2/H.img.gz" > "$work/H"
    printf bulat > "$work/theirs"
    with "$work/H" password-file="$work/theirs" -- "nbdcopy \$uri $work/back"
    debugfs -R "cat hello.txt" "$work/back" 2>/dev/null | grep -x "hello from bulat: LUKS2 + Kuznyechik + ext4" >/dev/null
    good "a filesystem that Linux's dm-crypt wrote"
else
    echo "skipped: a filesystem of Linux: no volumes of other programs (BULAT_VOLUMES)"
fi
echo "$passed passed, 0 failed"
