// Serve answers the runner of the vectors, a line for each line: verification/vectors/src/serve.rs has the protocol.
//
//	go run ./internal/serve [KERNEL]    with "kernels" it prints the kernels of this machine
//
// It calls the engine that the public packages pass on to, which has the names.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/bulat-crypto/bulat/bindings/go/internal/engine"
	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
	"github.com/bulat-crypto/bulat/bindings/go/internal/native"
)

var kinds = map[error]string{fault.KeyLength: "ErrKeyLength", fault.IVLength: "ErrIVLength", fault.TagLength: "ErrTagLength",
	fault.Nonce: "ErrNonce", fault.Parameter: "ErrParameter", fault.EqualKeys: "ErrEqualKeys", fault.DataLength: "ErrDataLength",
	fault.Empty: "ErrEmpty", fault.Verify: "ErrVerify"}

// try returns a value; an error ends the call.
func try[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// call has the parameters of a line.
type call map[string]string

func (c call) bytes(field string) []byte { return try(hex.DecodeString(c[field])) }

// number returns a parameter. The library has a default for 0: -1 stands for a given 0.
func (c call) number(field string) int {
	n, _ := strconv.Atoi(c[field])
	if c[field] == "0" && field != "size" {
		return -1
	}
	return n
}

// pieces cuts a message in pieces of growing, odd numbers of blocks.
func pieces(n, block int, f func(from, to int)) {
	for at, k := 0, 1; at < n; at, k = at+k*block, k*3%1021+1 {
		f(at, min(n, at+k*block))
	}
}

// same is what several manners must give alike.
func same(all ...[]byte) []byte {
	for _, other := range all {
		if !bytes.Equal(all[0], other) {
			panic("the manners differ")
		}
	}
	return all[0]
}

// opened is a function that transforms, and its block.
func opened(name string, key, iv []byte, o fault.Options) (func(dst, src []byte), int) {
	if strings.HasSuffix(name, "-ecb") || strings.HasSuffix(name, "-cbc") {
		m := try(engine.NewBlockMode(name, key, iv, o))
		return m.CryptBlocks, m.BlockSize()
	}
	return try(engine.NewStream(name, key, iv, o)).XORKeyStream, 1
}

// crypt transforms in pieces, then in place; a block also by a cipher.Block, maybe many times.
func (c call) crypt(name string, key, iv, data []byte, o fault.Options) []byte {
	inPieces, block := opened(name, key, iv, o)
	atOnce, _ := opened(name, key, iv, o)
	if len(data)%block != 0 {
		panic(fault.DataLength)
	}
	out, inPlace := make([]byte, len(data)), bytes.Clone(data)
	pieces(len(data), block, func(from, to int) { inPieces(out[from:to], data[from:to]) })
	atOnce(inPlace, inPlace)
	same(out, inPlace)
	if cipher, ecb := strings.CutSuffix(name, "-ecb"); ecb && len(data) == block {
		b := try(engine.NewCipherBlock(cipher, key, o.Sboxes))
		step := map[bool]func(dst, src []byte){false: b.Encrypt, true: b.Decrypt}[o.Decrypt]
		step(data, data)
		same(out, data)
		for range max(1, c.number("times")) - 1 {
			step(data, data)
		}
		return data
	}
	return out
}

func mac(m engine.MAC, data []byte) []byte {
	m.Write(data)
	first := m.Sum(nil)
	m.Reset()
	pieces(len(data), 1, func(from, to int) { m.Write(data[from:to]) })
	return same(first, m.Sum(nil))
}

func open(a engine.AEAD, nonce, data, aad, tag []byte) []byte {
	if len(tag) != a.Overhead() {
		panic(fault.TagLength)
	}
	sealed := append(data, tag...)
	text := try(a.Open(nil, nonce, bytes.Clone(sealed), aad))
	return same(text, try(a.Open(sealed[:0], nonce, sealed, aad)))
}

func hash(name, boxes string, data []byte) []byte {
	h, out := engine.NewGost94(boxes == "hash-test"), []byte(nil)
	if size := map[string]int{"streebog256": 32, "streebog512": 64}[name]; size != 0 {
		h, out = engine.NewHash(size), make([]byte, size)
		engine.Sum(out, data)
	} else if name != "gost94" || !strings.HasPrefix(boxes, "hash-") {
		panic(fault.Algorithm)
	}
	pieces(len(data), 1, func(from, to int) { h.Write(data[from:to]) })
	if out == nil {
		return h.Sum(nil)
	}
	return same(out, h.Sum(nil))
}

func (c call) answer(op, name string) []byte {
	key, iv, data, aad, tag := c.bytes("key"), c.bytes("iv"), c.bytes("data"), c.bytes("aad"), c.bytes("tag")
	o := fault.Options{TagSize: c.number("tag_size"), S: c.number("s"), Section: c.number("section"), Period: c.number("period"),
		Sboxes: c["sboxes"], Decrypt: op == "decrypt", Meshing: map[string]int{"": 0, "0": 2, "1": 1}[c["meshing"]]}
	switch op {
	case "hash":
		return hash(name, o.Sboxes, data)
	case "encrypt", "decrypt":
		return c.crypt(name, key, iv, data, o)
	case "mac":
		return mac(try(engine.NewMAC(name, key, iv, o)), data)
	case "verify":
		m := try(engine.NewMAC(name, key, iv, o))
		if m.Write(data); !m.Verify(tag) {
			panic(fault.Verify)
		}
		return nil
	case "seal":
		a := try(engine.NewAEAD(name, key, o))
		return same(try(a.SealTo([]byte("head"), iv, data, aad))[4:], a.Seal(nil, iv, data, aad))
	case "open":
		return open(try(engine.NewAEAD(name, key, o)), iv, data, aad, tag)
	case "derive":
		p := fault.Derivation{Key: key, Salt: c.bytes("salt"), Label: c.bytes("label"), Seed: c.bytes("seed"),
			Iterations: c.number("iterations"), Counter: c.number("counter")}
		p.Record, _ = strconv.ParseUint(c["record"], 10, 64)
		for i, mask := range strings.Split(c["masks"], ",") {
			p.Masks[i], _ = strconv.ParseUint(mask, 16, 64)
		}
		out := make([]byte, c.number("size"))
		return try(out, engine.Derive(name, p, out))
	case "wrap":
		return try(engine.Wrap(name, key, iv, o.Sboxes, data))
	}
	return try(engine.Unwrap(name, key, iv, o.Sboxes, data, c.number("size")))
}

// said is the line for a line.
func said(line string) (answer string) {
	defer func() {
		caught := recover()
		if err, ours := caught.(error); ours && !errors.As(err, new(runtime.Error)) {
			if answer = "?"; err != fault.Algorithm {
				answer = "!" + kinds[err] + " " + err.Error()
			}
		} else if caught != nil {
			panic(caught)
		}
	}()
	words, c := strings.Fields(line), call{}
	for _, word := range words[2:] {
		field, value, _ := strings.Cut(word, "=")
		c[field] = value
	}
	return fmt.Sprintf("=%x", c.answer(words[0], words[1]))
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "kernels" {
		for _, name := range append(native.Names(), "portable") {
			if native.Force(name) {
				fmt.Println(name)
			}
		}
		return
	}
	if len(os.Args) == 2 && !native.Force(os.Args[1]) {
		panic("no such kernel here")
	}
	in := bufio.NewReader(os.Stdin)
	for line, err := in.ReadString('\n'); err == nil; line, err = in.ReadString('\n') {
		fmt.Println(said(line))
	}
}
