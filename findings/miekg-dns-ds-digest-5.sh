#!/usr/bin/env bash
# miekg/dns, both generations: digest type 5 of DS is SHA-512, where IANA's list has GOST R 34.11-2012 since RFC 9558.
#
# Modules: github.com/miekg/dns v1.1.73 and codeberg.org/miekg/dns v0.6.0 from the Go module proxy; seen with Go 1.26.8 on 2026-11-28.
# Input: the DNSKEY of algorithm 15 in RFC 8080, 6.1, and ToDS with each digest type of the list: 1 SHA-1, 2 SHA-256,
#   3 GOST R 34.11-94 (RFC 5933), 4 SHA-384, 5 GOST R 34.11-2012 with 256 bits (RFC 9558, 3), 6 SM3 (RFC 9563).
# Behaviour: ToDS(3) and ToDS(6) return nil. ToDS(5) returns a DS of type 5 with a digest of 64 bytes, the SHA-512 of owner and RDATA;
#   RFC 9558 wants the 32 bytes of Streebog-256. HashToString calls type 3 GOST94 and type 5 SHA512. A program that makes DS records
#   by every type for which ToDS is not nil publishes one that no resolver with RFC 9558 accepts.
#
# Output seen, for each module:
#   1: 20 bytes, 2: 32 bytes, 3: nil, 4: 48 bytes, 5: 64 bytes, 6: nil; 5 is SHA-512: true; names: GOST94 SHA512
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the modules cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
export GOFLAGS=-mod=mod GOPATH=$work/go
go mod init finding 2>init.log || { cat init.log; exit 2; }
go get github.com/miekg/dns@v1.1.73 codeberg.org/miekg/dns@v0.6.0 2>get.log || { tail -5 get.log; exit 2; }
for path in github.com/miekg/dns codeberg.org/miekg/dns; do
    mkdir -p "$(dirname $path)"
    cat >"$(dirname $path)/main.go" <<GO
package main

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"$path"
)

const key = "l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4="

func main() {
	rr, err := $(case $path in github*) echo dns.NewRR ;; *) echo dns.New ;; esac)("example.com. 3600 IN DNSKEY 257 3 15 " + key)
	if err != nil {
		panic(err)
	}
	for n := uint8(1); n <= 6; n++ {
		if n > 1 {
			fmt.Print(", ")
		}
		if ds := rr.(*dns.DNSKEY).ToDS(n); ds != nil {
			fmt.Printf("%d: %d bytes", n, len(ds.Digest)/2)
		} else {
			fmt.Printf("%d: nil", n)
		}
	}
	public, _ := base64.StdEncoding.DecodeString(key)
	sum := sha512.Sum512(append([]byte("\x07example\x03com\x00\x01\x01\x03\x0f"), public...))
	digest, _ := hex.DecodeString(rr.(*dns.DNSKEY).ToDS(5).Digest)
	fmt.Printf("; 5 is SHA-512: %v; names: %s %s\n", string(digest) == string(sum[:]), dns.HashToString[3], dns.HashToString[5])
}
GO
    go run "./$(dirname $path)" | tee -a seen
    echo '1: 20 bytes, 2: 32 bytes, 3: nil, 4: 48 bytes, 5: 64 bytes, 6: nil; 5 is SHA-512: true; names: GOST94 SHA512' >>expected
done
diff expected seen >changed && echo 'as described' || { cat changed; echo 'no longer as described'; exit 1; }
