#!/usr/bin/env bash
# Go, httputil.ReverseProxy: once the head of the answer has come, bytes of a request's body in chunks are missing, and nobody sees an error.
#
# Packages: Go 1.26.8 (go on PATH), its standard library only; seen on 2026-11-28.
# Input: POST over HTTP/1.1 with 1000000 bytes in chunks, in pieces of 10000, through NewSingleHostReverseProxy to a service that answers its
#   head at once and then reads the body (as a service must that transforms a stream). The service calls EnableFullDuplex for itself, and
#   tells in its answer how many bytes came. Twenty times each.
# Behaviour: the proxy's own server reads up to 256 KiB of the body and throws them away before it writes the head of the answer, while
#   the proxy's client keeps sending the rest of that body to the service. So the service gets a body with a hole, which ends properly:
#   status 200, no error at the service, at the proxy or at the client. With EnableFullDuplex called before ServeHTTP the body is whole, and so it
#   is if the service reads all before it answers.
#
# Output seen:
#   early, as it is: 200, bytes missing, no error
#   early, EnableFullDuplex: 200, whole
#   late, as it is: 200, whole
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if a package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
command -v go >go.log || exit 2
cat >go.mod <<'MOD'
module early

go 1.26
MOD
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"time"
)

const size = 1000000

// pieces gives a body of unknown length, so that it is sent in chunks.
func pieces() io.Reader {
	from, to := io.Pipe()
	go func() {
		for range size / 10000 {
			to.Write(make([]byte, 10000))
			time.Sleep(100 * time.Microsecond)
		}
		to.Close()
	}()
	return from
}

func main() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		control.EnableFullDuplex()
		if r.URL.Path == "/early" {
			w.WriteHeader(200)
			control.Flush()
		}
		n, err := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, n, " ", err)
	}))
	at, _ := url.Parse(service.URL)
	proxy := httputil.NewSingleHostReverseProxy(at)
	plain := httptest.NewServer(proxy)
	full := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).EnableFullDuplex()
		proxy.ServeHTTP(w, r)
	}))
	for _, one := range []struct{ name, url string }{
		{"early, as it is", plain.URL + "/early"}, {"early, EnableFullDuplex", full.URL + "/early"}, {"late, as it is", plain.URL + "/late"},
	} {
		said := "200, whole"
		for range 20 {
			answer, err := http.Post(one.url, "application/octet-stream", pieces())
			if err != nil {
				said = fmt.Sprint("error: ", err)
				break
			}
			var n int
			var failed string
			text, err := io.ReadAll(answer.Body)
			fmt.Sscan(string(text), &n, &failed)
			if err != nil || failed != "<nil>" || answer.StatusCode != 200 {
				said = fmt.Sprint("error: ", err, " ", failed, " ", answer.StatusCode)
				break
			}
			if n < size {
				said = "200, bytes missing, no error"
			}
		}
		fmt.Printf("%s: %s\n", one.name, said)
	}
}
GO
GOFLAGS=-mod=mod GOPROXY=off go build -o early . 2>go.log || { tail -3 go.log; exit 2; }
timeout 120 ./early 2>proxy.log >lines || true
cat lines
[ ! -s proxy.log ] || { cat proxy.log; exit 1; }
cmp -s lines - <<'WANT' || exit 1
early, as it is: 200, bytes missing, no error
early, EnableFullDuplex: 200, whole
late, as it is: 200, whole
WANT
