#!/usr/bin/env bash
# Volumes made here, opened by Linux: a Debian kernel with the module of gost-crypto-dkms in a virtual machine, with
# Debian's cryptsetup and dm-crypt. Compares the plaintext that it reads; one volume is written there and read here. Run
# as root on Debian 12: it downloads packages from the archive, and installs only the packages of the list. MODULE=FILE and
# COMMAND=FILE name the builds; WORK=FOLDER keeps the kernel for the next run.
set -euo pipefail
cd "$(dirname "$0")/../../.."
module=$(realpath "${MODULE:-target/release/libnbdkit_bulat_plugin.so}")
command=$(realpath "${COMMAND:-target/release/bulat}")
for program in qemu-system-x86_64 nbdkit nbdcopy nbdinfo cryptsetup dmsetup mke2fs e2fsck debugfs depmod cpio busybox make gcc python3; do
    command -v $program > /dev/null || {
        echo "skipped: Linux: no $program (apt-get install qemu-system-x86 nbdkit libnbd-bin cryptsetup-bin dmsetup e2fsprogs" \
            "kmod cpio busybox-static make gcc python3)"
        exit 0
    }
done
work=${WORK:-$(mktemp -d)}
if [ -z "${WORK:-}" ]; then trap 'rm -rf "$work"' EXIT; fi
mkdir -p "$work"
cd "$work"
umask 077
[ -e .bulat ] || [ -z "$(ls -A)" ] || { echo "$work is not empty, and not a folder of this script" >&2; exit 1; }
touch .bulat

# The kernel and its module.
if [ ! -e kuznyechik_generic.ko ]; then
    kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: linux-image-\([0-9].*\)-amd64.*/\1/p' | head -n 1)
    mkdir -p deb kernel
    (cd deb && apt-get -q download "linux-image-$kernel-amd64" "linux-headers-$kernel-amd64" "linux-headers-$kernel-common" \
        linux-kbuild-6.1 gost-crypto-dkms > /dev/null)
    for file in deb/*.deb; do dpkg -x "$file" kernel; done
    headers=$PWD/kernel/usr/src/linux-headers-$kernel
    # The headers refer to each other by absolute paths.
    sed -i "s#^include .*/linux-headers-$kernel-common#include $headers-common#" "$headers-amd64/Makefile"
    cp -r kernel/usr/src/gost-crypto-* gost
    make -s -C "$headers-amd64" M="$PWD/gost" PWD="$PWD/gost" modules > gost.log 2>&1 || { tail gost.log; exit 1; }
    cp gost/kuznyechik_generic.ko .
fi
release=$(basename kernel/lib/modules/*)

# The machine's script: each disk has its name as serial number.
rm -rf root && mkdir -p root/{bin,dev,proc,sys,run,tmp,mnt,etc,disks,lib64,lib/x86_64-linux-gnu,lib/modules/"$release"/extra}
cat > root/init <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin DM_DISABLE_UDEV=1
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /run; mount -t tmpfs tmp /tmp
mkdir -p /run/cryptsetup
exec > /dev/console 2>&1
for module in virtio_pci virtio_blk virtio_rng crc32c_generic dm-mod dm-crypt xts ecb af_alg algif_skcipher algif_hash kuznyechik_generic ext4
do modprobe $module || echo "NO $module"; done
sleep 1
echo "KERNEL $(uname -r) $(cryptsetup --version)"
read_it() { # NAME PARAMETER...
    name=$1; shift
    if cryptsetup open --readonly --disable-keyring "$@" /disks/$name it 2> /tmp/why
    then echo "READ $name $(sha256sum < /dev/mapper/it | cut -c1-64) $(dmsetup table it | cut -d' ' -f4)"; cryptsetup close it
    else echo "REFUSED $name $(cat /tmp/why)"; fi
}
for disk in /sys/block/vd*; do
    name=$(cat $disk/serial); ln -s /dev/${disk##*/} /disks/$name
    case $name in
    luks-gost) read_it $name --key-file /password;;
    luks-written)
        cryptsetup open --disable-keyring --key-file /password /disks/$name it
        /bin/mke2fs -t ext4 -q -F /dev/mapper/it || echo "NO filesystem"; mount -t ext4 /dev/mapper/it /mnt
        echo "written by dm-crypt" > /mnt/file; umount /mnt; cryptsetup close it
        cryptsetup luksAddKey --batch-mode --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --key-file /password /disks/$name /second
        echo "WRITTEN $name";;
    luks-*) read_it $name --key-file /password;;
    plain) read_it $name --type plain --cipher kuznyechik-xts-plain64 --key-size 512 --key-file /key;;
    vera-hidden) read_it $name --type tcrypt --veracrypt --veracrypt-pim 1 --tcrypt-hidden < /hidden;;
    vera-keyfile) read_it $name --type tcrypt --veracrypt --veracrypt-pim 1 --key-file /key < /password;;
    vera-*)
        read_it $name --type tcrypt --veracrypt --veracrypt-pim 1 < /password
        read_it $name --type tcrypt --veracrypt --veracrypt-pim 1 --tcrypt-backup < /password;;
    esac
done
sync; echo END; poweroff -f
INIT
chmod +x root/init
cp "$(command -v busybox)" root/bin/
cp "$(command -v cryptsetup)" "$(command -v dmsetup)" "$(command -v mke2fs)" root/bin/
cp -L /lib64/ld-linux-x86-64.so.2 root/lib64/
for library in $(ldd root/bin/{cryptsetup,dmsetup,mke2fs} | awk '$3 ~ /^\// { print $3 }' | sort -u); do cp -L "$library" root/lib/x86_64-linux-gnu/; done
cp -L /lib/x86_64-linux-gnu/libgcc_s.so.1 root/lib/x86_64-linux-gnu/
# OpenSSL's legacy provider, for Whirlpool.
mkdir -p root/usr/lib/x86_64-linux-gnu/ossl-modules
cp -L /usr/lib/x86_64-linux-gnu/ossl-modules/legacy.so root/usr/lib/x86_64-linux-gnu/ossl-modules/
modules=kernel/lib/modules/$release
cp "$modules"/modules.* root/lib/modules/"$release"/
(cd "$modules" && find kernel/{crypto,arch/x86/crypto,lib} kernel/drivers/md/dm-{mod,crypt}.ko kernel/drivers/block/virtio_blk.ko \
    kernel/drivers/{virtio,char/hw_random} kernel/fs/{ext4,jbd2,mbcache.ko} -name '*.ko' |
    cpio -pdm --quiet "$work/root/lib/modules/$release")
cp kuznyechik_generic.ko root/lib/modules/"$release"/extra/
depmod -b root "$release"
printf 'a password' | tee password > root/password
printf 'a hidden one' | tee hidden > root/hidden
printf 'second' | tee second > root/second
head -c 64 /dev/urandom | tee key > root/key
(cd root && find . | cpio -o -H newc --quiet | gzip -1) > initrd

# The volumes, filled with noise.
cp "$module" nbdkit-bulat-plugin.so
rm -rf disks texts && mkdir disks texts
cheap="-p password --pbkdf pbkdf2 --iterations 1000 --header-size 1M"
# shellcheck disable=SC2086
make_luks() { local name=$1; shift; "$command" volume create $cheap "$@" "disks/$name"; }
make_luks luks-4096 --size 3M
make_luks luks-2048 --size 3M --sector-size 2048
make_luks luks-512 --size 3M --sector-size 512
make_luks luks-aes --size 3M --cipher aes-xts-plain64
make_luks luks-gost --size 3M --gost
make_luks luks-written --size 40M
"$command" volume create -p password --size 20M disks/luks-default
truncate -s 1M disks/plain
for hash in sha512 sha256 whirlpool; do
    "$command" volume create --type veracrypt --pim 1 --hash $hash -p password --size 1M disks/vera-$hash
done
"$command" volume create --type veracrypt --pim 1 --hash sha512 --keyfile key -p password --size 1M disks/vera-keyfile
"$command" volume create --type veracrypt --hash sha512 -p password --size 2M disks/vera-hidden
"$command" volume create --type veracrypt --hash sha512 --hidden 1M --hidden-pim 1 --hidden-hash sha512 -p password --new-password-file hidden disks/vera-hidden
drives=()
for path in disks/*; do
    name=${path#disks/}
    case $name in
    plain) how="type=plain key-file=key";;
    vera-hidden) how="type=veracrypt pim=1 hash=sha512 header=hidden password-file=hidden";;
    vera-keyfile) how="type=veracrypt pim=1 hash=sha512 keyfile=key password-file=password";;
    vera-*) how="type=veracrypt pim=1 hash=${name#vera-} password-file=password";;
    *) how="password-file=password";;
    esac
    # shellcheck disable=SC2086,SC2016
    with() { nbdkit -U - "$work/nbdkit-bulat-plugin.so" "$path" $how --run "$1"; }
    # shellcheck disable=SC2016
    head -c "$(with 'nbdinfo --size $uri')" /dev/urandom > "texts/$name"
    with "nbdcopy texts/$name \$uri"
    only=on
    if [ "$name" = luks-written ]; then only=off; fi
    drives+=(-drive "if=none,id=$name,file=$path,format=raw,readonly=$only" -device "virtio-blk-pci,drive=$name,serial=$name")
done

# Without KVM, which is not reliable everywhere: one or two minutes.
timeout 900 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -m 2048 -display none -no-reboot -nodefaults -serial file:log \
    -device virtio-rng-pci -kernel "kernel/boot/vmlinuz-$release" -initrd initrd \
    -append "console=ttyS0 panic=-1 quiet random.trust_cpu=on no_timer_check" "${drives[@]}" < /dev/null
tr -d '\r' < log > lines
grep -q '^END' lines || { cat lines; echo "WRONG: the machine did not end"; exit 1; }
grep '^KERNEL' lines
passed=0
while read -r what name sum cipher; do
    case $what in
    READ)
        [ "$sum" = "$(sha256sum < "texts/$name" | cut -c1-64)" ] || { echo "WRONG: $name"; exit 1; }
        echo "$name: dm-crypt reads it, $cipher"
        passed=$((passed + 1));;
    REFUSED)
        # As docs/STORAGE.md describes.
        [ "$name" = luks-gost ] || { echo "WRONG: $name is refused"; exit 1; }
        echo "$name: refused, as it must be: keyslots under Kuznyechik";;
    esac
done < lines
[ $passed = 14 ] || { cat lines; echo "WRONG: $passed of 14 openings"; exit 1; }
path=disks/luks-written how="password-file=second"
with "nbdcopy \$uri written"
e2fsck -fn written > said 2>&1 || { cat said; exit 1; }
debugfs -R "cat file" written 2> /dev/null | grep -qx "written by dm-crypt"
echo "luks-written: dm-crypt's writes are read here, by a password that cryptsetup added"
