#!/usr/bin/env bash
# govici: a number that is too large for its field of a Go structure is cut to the field's low bits, without an error. So the counter of a security
# association starts again at 0 each 4 GiB, or is negative.
#
# Module: github.com/strongswan/govici v0.8.0 from the Go module proxy; seen with Go 1.26 on 2026-11-30. strongSwan is not needed: the message
#   is made by the library.
# Input: bytes-in and packets-in as charon's list-sas has them, decimal text, read by vici.UnmarshalMessage into fields of several kinds;
#   the same numbers by encoding/json.
# Behaviour: the text is parsed as a number of 64 bits and stored by reflect's SetInt or SetUint, which cut. A word that is no number, and a
#   negative one for an unsigned field, are errors. encoding/json refuses a number that does not fit.
#
# Output seen:
#   4294967396 as uint64: vici 4294967396, json 4294967396
#   4294967396 as uint32: vici 100, json refused
#   2147483648 as int32: vici -2147483648, json refused
#   65537 as uint16: vici 1, json refused
#   -1 as uint32: vici refused, json refused
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the module cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
sed -n 's/^#   \(.* as u\?int.*\)/\1/p' "$0" >"$work/expected"
cd "$work"
export GOPATH=$work/go GOFLAGS=-mod=mod
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	"github.com/strongswan/govici/vici"
)

type association[T any] struct {
	Count T `vici:"bytes-in" json:"bytes-in"`
}

func read[T any](text string) {
	message := vici.NewMessage()
	if err := message.Set("bytes-in", text); err != nil {
		panic(err)
	}
	var a, b association[T]
	byVici, byJSON := "refused", "refused"
	if vici.UnmarshalMessage(message, &a) == nil {
		byVici = fmt.Sprint(a.Count)
	}
	if json.Unmarshal([]byte(`{"bytes-in":`+text+`}`), &b) == nil {
		byJSON = fmt.Sprint(b.Count)
	}
	fmt.Printf("%s as %T: vici %s, json %s\n", text, a.Count, byVici, byJSON)
}

func main() {
	read[uint64]("4294967396")
	read[uint32]("4294967396")
	read[int32]("2147483648")
	read[uint16]("65537")
	read[uint32]("-1")
}
GO
{ go mod init example.org/counters && go get github.com/strongswan/govici@v0.8.0; } >go.log 2>&1 || { tail -3 go.log; exit 2; }
go run . | tee seen
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
