#!/usr/bin/env bash
# Go, two forks of one pkcs7 package: of a signed message that `openssl cms -stream` wrote, Parse gives the first 4096 bytes as the content, without
# an error. Verify then calls a right signature wrong. The third fork, smallstep's, has the whole content.
#
# Modules: go.mozilla.org/pkcs7 v0.10.0, github.com/digitorus/pkcs7 v0.0.0-20230818184609-3a137a874352 (later ones need Go 1.27, which was not there),
#   github.com/smallstep/pkcs7 v0.2.3 from the Go module proxy, the system's openssl 3.0.22; seen with Go 1.26 on 2026-12-01.
# Input: SignedData with the content inside (RSA, SHA-256) of 4096, 4097 and 10000 bytes, by -stream, which writes an OCTET STRING of parts of 4096 bytes
#   each, BER's indefinite form, and without it, which is DER. openssl itself verifies all of them.
# Behaviour: of a constructed OCTET STRING the first part is taken, and the rest is left. The parts of encrypted content are joined by all three. Up to
#   4096 bytes there is one part, so tests with short texts pass. A program that shows the content before it verifies shows a shorter text.
#
# Output seen (bytes of the content, what Verify says):
#   DER, 10000: mozilla 10000 right, digitorus 10000 right, smallstep 10000 right
#   BER, 4096: mozilla 4096 right, digitorus 4096 right, smallstep 4096 right
#   BER, 4097: mozilla 4096 Message digest mismatch, digitorus 4096 Message digest mismatch, smallstep 4097 right
#   BER, 10000: mozilla 4096 Message digest mismatch, digitorus 4096 Message digest mismatch, smallstep 10000 right
#   BER, 10000, without signed attributes: mozilla 4096 verification error, digitorus 4096 verification error, smallstep 10000 right
#   BER, 10000, encrypted: mozilla 10000 right, digitorus 10000 right, smallstep 10000 right
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the modules cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
unset OPENSSL_CONF
export GOPATH=$work/go GOFLAGS=-mod=mod
cat >main.go <<'GO'
package main

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"

	digitorus "github.com/digitorus/pkcs7"
	smallstep "github.com/smallstep/pkcs7"
	mozilla "go.mozilla.org/pkcs7"
)

type message interface {
	Verify() error
	Decrypt(*x509.Certificate, crypto.PrivateKey) ([]byte, error)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func load(name string) []byte {
	block, _ := pem.Decode(must(os.ReadFile(name)))
	return block.Bytes
}

func try(name string, parsed message, content []byte, encrypted bool, text []byte) string {
	said := "right"
	if encrypted {
		certificate := must(x509.ParseCertificate(load("cert.pem")))
		content = must(parsed.Decrypt(certificate, must(x509.ParsePKCS8PrivateKey(load("key.pem")))))
		if !bytes.Equal(content, text) {
			said = "wrong"
		}
	} else if err := parsed.Verify(); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		parts := strings.Split(line, ": ")
		said = parts[len(parts)-1]
	}
	return fmt.Sprintf("%s %d %s", name, len(content), said)
}

func main() {
	data, encrypted, text := must(os.ReadFile(os.Args[1])), os.Args[2] == "encrypted", must(os.ReadFile(os.Args[3]))
	a := must(mozilla.Parse(data))
	b := must(digitorus.Parse(data))
	c := must(smallstep.Parse(data))
	fmt.Println(strings.Join([]string{
		try("mozilla", a, a.Content, encrypted, text),
		try("digitorus", b, b.Content, encrypted, text),
		try("smallstep", c, c.Content, encrypted, text),
	}, ", "))
}
GO
{ go mod init example.org/pieces && go get go.mozilla.org/pkcs7@v0.10.0 github.com/smallstep/pkcs7@v0.2.3 \
    github.com/digitorus/pkcs7@v0.0.0-20230818184609-3a137a874352; } >go.log 2>&1 || { tail -3 go.log; exit 2; }
go build -o try .
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=a -days 300 2>openssl.log

# Arguments: its name, the bytes, signed or encrypted, more for openssl.
show()
{
    head -c "$2" /dev/zero | tr '\0' a >text
    if [ "$3" = encrypted ]; then
        openssl cms -encrypt -binary -aes-256-cbc -outform DER -in text -out message "${@:4}" cert.pem
    else
        openssl cms -sign -binary -nodetach -outform DER -signer cert.pem -inkey key.pem -in text -out message "${@:4}"
        openssl cms -verify -binary -inform DER -in message -CAfile cert.pem -out read 2>openssl.log
        cmp -s read text
    fi
    echo "$1: $(./try message "$3" text)"
}

{
    show "DER, 10000" 10000 signed
    show "BER, 4096" 4096 signed -stream
    show "BER, 4097" 4097 signed -stream
    show "BER, 10000" 10000 signed -stream
    show "BER, 10000, without signed attributes" 10000 signed -stream -noattr
    show "BER, 10000, encrypted" 10000 encrypted -stream
} | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
