#!/usr/bin/env bash
# nbdkit: of a gzip file with several members, as `cat a.gz b.gz`, bgzip and `gzip >>` make it, only the first is served, a smaller disk; of a tar
# archive with two copies of a file, as `tar -r` makes it, the older. Neither is an error. An xz file of several streams is served whole.
#
# Packages: nbdkit 1.32.5-1, libnbd-bin and libnbd0 1.14.2-1 of Debian 12 (apt-get download, unpacked in a temporary folder), the system's gzip,
#   xz and tar; seen on 2026-11-30. nbdkit 1.48.1 does the same, and its filter bzip2 serves the first stream only, too, though pbzip2 writes
#   one for each 900,000 bytes. Its filters xz, lzip and indexed-gzip serve all.
# Input: an image of 3 MiB, compressed whole, and in pieces of 1 MiB one after another; an archive with an image of 1 MiB, to which the
#   image of 3 MiB was appended under the same name. RFC 1952, 2.2: a gzip file is a series of members. tar extracts the last copy.
# Behaviour: the filter gzip stops at the end of the first member, regards that as the end of the disk, and does not look whether more follows; the
#   filter tar uses the first line of tar's list. The manual pages do not say so. A copy of the disk is short or old, and its status 0.
#
# Output seen (bytes):
#   gzip, whole: file 3145728, disk 3145728, copy 3145728, status 0
#   gzip, pieces: file 3145728, disk 1048576, copy 1048576, status 0
#   xz, whole: file 3145728, disk 3145728, copy 3145728, status 0
#   xz, pieces: file 3145728, disk 3145728, copy 3145728, status 0
#   tar, appended: file 3145728, disk 1048576, copy 1048576, status 0
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^#   \(\(gzip\|xz\|tar\), .*\)/\1/p' "$0" >"$work/expected"
cd "$work"
chmod 755 "$work"
apt-get download nbdkit=1.32.5-1 libnbd-bin=1.14.2-1 libnbd0=1.14.2-1 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries TMPDIR=$work
for program in root/usr/bin/nbdkit root/usr/bin/nbdinfo "$libraries"/nbdkit/filters/nbdkit-{gzip,xz,tar}-filter.so; do
    ldd "$program" | grep "not found" && exit 2
done

# What it is, the bytes of the file as its own program reads it, the file, more arguments.
serve()
{
    local status=0
    # shellcheck disable=SC2016 # nbdkit sets uri for the command
    root/usr/bin/nbdkit -r -U - --filter="$libraries/nbdkit/filters/nbdkit-${1%,*}-filter.so" "$libraries/nbdkit/plugins/nbdkit-file-plugin.so" \
        "$work/$3" "${@:4}" --run 'root/usr/bin/nbdinfo --size "$uri" && root/usr/bin/nbdcopy "$uri" copy' >size || status=$?
    echo "$1: file $2, disk $(cat size), copy $(stat -c %s copy), status $status"
    rm copy
}

for piece in 1 2 3; do head -c 1048576 /dev/zero | tr '\0' $piece >piece$piece; done
cat piece1 piece2 piece3 >whole
{
    for how in gzip xz; do
        $how -c whole >whole.$how
        for piece in 1 2 3; do $how -c piece$piece; done >pieces.$how
        for file in whole pieces; do serve "$how, $file" "$($how -dc <$file.$how | wc -c)" $file.$how; done
    done
    cp piece1 image
    tar -cf archive.tar image
    cp whole image
    tar -rf archive.tar image
    mkdir extracted
    tar -xf archive.tar -C extracted
    serve "tar, appended" "$(stat -c %s extracted/image)" archive.tar tar-entry=image
} | tee seen
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
