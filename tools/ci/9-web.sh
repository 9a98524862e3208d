#!/usr/bin/env bash
# The package for the web and Node: the modules, secrets followed through them, vectors, bad input, random calls against
# libbulat, files against the command; the page in Chromium. Bundlers and other runtimes: verification/hosts.
# BULAT_WEB=all also builds and tests the modules for relaxed SIMD: minutes more.
source "$(dirname "$0")/common"
tools/ci/apt nodejs npm lld-19 chromium brotli
have node "everything here" nodejs || exit 0
modules=(container bulat)
[ "${BULAT_WEB:-}" != all ] || modules+=(container-relaxed bulat-relaxed)
bash bindings/web/build.sh "${modules[@]}" || {
    [ $? = 3 ] && { echo "skipped: everything here: no std for wasm32-unknown-unknown"; exit 0; }
    exit 1
}
[ -n "${BULAT:-}" ] || build
export BULAT=${BULAT:-$built/bulat}
if [ -n "${built:-}" ]; then
    for module in "${modules[@]}"; do
        "$built/wasm-ct" "bindings/web/lib/$module.wasm" "$target/wasm32-unknown-unknown/release/$module.wasm"
    done
else
    echo "skipped: secrets in the modules: BULAT names a command that was built elsewhere"
fi
cd bindings/web
if [ ! -d node_modules/playwright-core ]; then
    npm install --silent --no-audit --no-fund 2>/dev/null || echo "skipped: the page: npm cannot install playwright-core"
fi
lib=$PWD/lib
# The library that the fuzzer compares with, of the same build.
[ ! -e "${BULAT%/*}/libbulat_capi.so" ] || export BULAT_CAPI=${BULAT%/*}/libbulat_capi.so
export BULAT_WASM=$lib/bulat.wasm BULAT_CONTAINER=$lib/container.wasm
node --test --test-reporter=spec tests/*.test.mjs
face VERIFY node tests/serve.mjs
if [ "${BULAT_WEB:-}" = all ]; then
    # Node before 22 has no relaxed SIMD unless it is asked.
    BULAT_WASM=$lib/bulat-relaxed.wasm BULAT_CONTAINER=$lib/container-relaxed.wasm \
        node --experimental-wasm-relaxed-simd --test --test-reporter=spec tests/{selftest,files,bad,fuzz}.test.mjs
    BULAT_WASM=$lib/bulat-relaxed.wasm face VERIFY node --experimental-wasm-relaxed-simd tests/serve.mjs
fi
if command -v brotli >/dev/null; then
    wire() { for file in "$@"; do brotli -q 11 -c "$file" | wc -c; done | awk '{ sum += $1 } END { print sum }'; }
    page=$(wire lib/container.wasm lib/{core,files,container}.js page/{index.html,style.css,app.js,worker.js,words.js,sw.js,icon.svg,manifest.webmanifest})
    echo "over the wire: the page $page bytes, the whole library $(wire lib/bulat.wasm lib/{core,files,bulat}.js) bytes"
    [ "$page" -le 135000 ] || { echo "the page is larger than 135 000 bytes"; exit 1; }
else
    echo "skipped: sizes: no brotli (apt-get install brotli)"
fi

# The package as a release packs it: it has the files of npm's own, installs and works.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 - "$work" <<'P'
import pathlib, sys
sys.path.insert(0, "../../tools/release")
import pack
pack.npm("bulat.tgz", pathlib.Path("lib"), pathlib.Path(sys.argv[1]), pack.ROOT, "1000000000", "the licences of its parts")
P
npm pack --dry-run --json 2>/dev/null | python3 -c 'import json, sys; print("\n".join(file["path"] for file in json.load(sys.stdin)[0]["files"]))' |
    grep -v relaxed | sort | diff - <(tar -tzf "$work/bulat.tgz" | sed 's:^package/::' | grep -v 'LICEN[CS]E' | sort)
mkdir "$work/app"
(
    cd "$work/app"
    npm install --silent --offline --no-audit --no-fund ../bulat.tgz
    printf '%s\n' 'import * as bulat from "bulat";' 'import * as container from "bulat/container";' 'await bulat.init(); await container.init();' \
        'console.log(bulat.createHash("streebog256").update("abc").digest("hex"), typeof container.encryptStream);' >app.mjs
    [[ $(node app.mjs) = 4e2919cf137ed41e*function ]]
)
echo "npm: the package of a release installs and works"
