#!/usr/bin/env bash
# miekg/dns, both generations: an algorithm's mnemonic is read in DS, RRSIG and CERT, and refused in DNSKEY, CDNSKEY and KEY.
#
# Modules: github.com/miekg/dns v1.1.73 and codeberg.org/miekg/dns v0.6.0 from the Go module proxy; seen with Go 1.26.8 on 2026-11-28.
# Input: records in presentation format with the algorithm as a number and as IANA's mnemonic: 12 and ECC-GOST (RFC 5933), 15 and ED25519.
# RFC 4034, 2.2: the algorithm of a DNSKEY is an unsigned decimal integer or a mnemonic of appendix A.1, as in DS (5.3) and RRSIG (3.2).
# Behaviour: DNSKEY, CDNSKEY and KEY accept only the number, "bad DNSKEY Algorithm" else, though AlgorithmToString has the mnemonic; so a
#   zone of keys and DS records with mnemonics is read up to its first key.
#
# Output seen, for each module:
#   12: read, ECC-GOST: DNSKEY refused, CDNSKEY refused, KEY refused, DS read, CDS read, RRSIG read, CERT read
#   15: read, ED25519: DNSKEY refused, CDNSKEY refused, KEY refused, DS read, CDS read, RRSIG read, CERT read
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the modules cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
export GOFLAGS=-mod=mod GOPATH=$work/go
go mod init finding 2>init.log || { cat init.log; exit 2; }
go get github.com/miekg/dns@v1.1.73 codeberg.org/miekg/dns@v0.6.0 2>get.log || { tail -5 get.log; exit 2; }
cat >main.go <<'GO'
package main

import (
	"fmt"
	"strings"

	two "codeberg.org/miekg/dns"
	one "github.com/miekg/dns"
)

const key = "l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4="

var digest = strings.Repeat("00", 32)

// A record, with % where the algorithm is.
var records = [][2]string{
	{"DNSKEY", "257 3 % " + key}, {"CDNSKEY", "257 3 % " + key}, {"KEY", "257 3 % " + key}, {"DS", "1 % 2 " + digest}, {"CDS", "1 % 2 " + digest},
	{"RRSIG", "A % 2 3600 20300101000000 20200101000000 1 example.com. " + key}, {"CERT", "PKIX 1 % " + key},
}

func main() {
	for _, parse := range []func(string) error{
		func(s string) error { _, err := one.NewRR(s); return err },
		func(s string) error { _, err := two.New(s); return err },
	} {
		read := func(record [2]string, algorithm string) bool {
			return parse("example.com. 3600 IN "+record[0]+" "+strings.Replace(record[1], "%", algorithm, 1)) == nil
		}
		for _, names := range [][2]string{{"12", "ECC-GOST"}, {"15", "ED25519"}} {
			all := "read"
			var said []string
			for _, record := range records {
				if !read(record, names[0]) {
					all = record[0] + " refused"
				}
				word := "refused"
				if read(record, names[1]) {
					word = "read"
				}
				said = append(said, record[0]+" "+word)
			}
			fmt.Printf("%s: %s, %s: %s\n", names[0], all, names[1], strings.Join(said, ", "))
		}
	}
}
GO
go run . | tee seen
for _ in 1 2; do
    for names in '12: read, ECC-GOST' '15: read, ED25519'; do
        echo "$names: DNSKEY refused, CDNSKEY refused, KEY refused, DS read, CDS read, RRSIG read, CERT read"
    done
done >expected
diff expected seen >changed && echo 'as described' || { cat changed; echo 'no longer as described'; exit 1; }
