#!/usr/bin/env bash
# Compiles all targets twice, in two folders, under two user names and homes, at two times, and compares all artefacts.
#   bash tools/release/twice.sh [OPTION OF BUILD]...    --target NAME: only this; --quick tries the tool; FOLDER=DIR keeps one release there
# It needs root, for a second /etc/passwd.
set -euo pipefail
cd "$(dirname "$0")/../.."
commit=$(git rev-parse HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
one=${FOLDER:-$work/one}
tools/release/build "$one" --work "$work/a" "$@"
# A second user has a different name and a different home, which leads to the registry and the compilers of this user.
mkdir -p "$work/home/elsewhere"
ln -s "${CARGO_HOME:-$HOME/.cargo}" "$work/home/elsewhere/cargo"
sed 's/^[^:]*:x:0:.*/somebody:x:1234:1234::\/home:\/bin\/sh/' /etc/passwd >"$work/passwd"
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=$work/home/elsewhere/cargo
other='mount --bind "$1" /etc/passwd; shift; exec "$@"'
unshare --mount sh -c "$other" sh "$work/passwd" unshare --user --map-user=1234 --map-group=1234 \
    env HOME="$work/home" USER=somebody LOGNAME=somebody TZ=Asia/Kamchatka LC_ALL=C \
    tools/release/build "$work/two" --work "$work/another-folder/b" "$@"
[ "$(git rev-parse HEAD)" = "$commit" ] || { echo "HEAD moved between the two: nothing to compare"; exit 1; }
diff -r "$one" "$work/two" && echo "compiled twice, equal: $(find "$one" -type f | wc -l) files"
