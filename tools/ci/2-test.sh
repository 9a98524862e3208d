#!/usr/bin/env bash
# The tests, as the README runs them, and their totals.
source "$(dirname "$0")/common"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
# Every length in every manner, not every seventh of the long ones.
! daily 4 "every length" || export BULAT_SWEEP=all
alone cargo test --workspace --features "$features" -- --nocapture 2>&1 | tee "$log" | grep -Ev '^(test .* \.\.\. ok|running |$)' || status=1
awk '/^test result:/ { passed += $4; failed += $6; skipped += $8 }
     END { printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || passed == 0 }' "$log" || status=1
# Repeat the failures at the end.
if [ "$status" != 0 ]; then
    grep -aE '^(test .*FAILED|error)|panicked at|^    [a-z0-9_:]+$|\(signal' "$log" | tail -n 50 || true
fi
exit "$status"
