// Peers compares the speed of the module with other Go packages, in a module of its own, so that no other module needs
// these. Their sources are not in the repository: gogost (a copy of it) and gostcrypto, at the commits that go.mod names. It
// prints megabytes per second, the best of short alternating runs, and the ratios.
//
//	git clone https://github.com/pedroalbanese/gogost sources/gogost && git -C sources/gogost checkout 44a1f1e
//	git clone https://github.com/bigbes/gostcrypto sources/gostcrypto && git -C sources/gostcrypto checkout 143bf54
//	CGO_ENABLED=0 go run .
package main

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/bulat-crypto/bulat/bindings/go/internal/native"
	"github.com/bulat-crypto/bulat/bindings/go/kuznyechik"
	"github.com/bulat-crypto/bulat/bindings/go/mgm"
	"github.com/bulat-crypto/bulat/bindings/go/streebog"

	cryptoctr "github.com/bigbes/gostcrypto/ctracpkm"
	cryptokuz "github.com/bigbes/gostcrypto/kuznyechik"
	cryptomgm "github.com/bigbes/gostcrypto/mgm"
	cryptohash "github.com/bigbes/gostcrypto/streebog"
	gohash "github.com/pedroalbanese/gogost/gost34112012256"
	gokuz "github.com/pedroalbanese/gogost/gost3412128"
	gomgm "github.com/pedroalbanese/gogost/mgm"
)

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// bench is an operation in the three libraries, with keys prepared; the first call of each makes the same.
type bench struct {
	name string
	libs [3]func() []byte
}

func benches(size int) []bench {
	key, iv := make([]byte, 32), make([]byte, 16)
	for i := range key {
		key[i] = byte(i)
	}
	text, dst := make([]byte, size), make([]byte, size+16)
	stream := func(s cipher.Stream) func() []byte {
		return func() []byte {
			s.XORKeyStream(dst[:size], text)
			return dst[:size]
		}
	}
	seal := func(a cipher.AEAD) func() []byte {
		return func() []byte { return a.Seal(dst[:0], iv, text, nil) }
	}
	go1, crypto1 := gokuz.NewCipher(key), cryptokuz.NewCipher(key)
	return []bench{
		{"Streebog-256", [3]func() []byte{
			func() []byte { d := streebog.Sum256(text); return append(dst[:0], d[:]...) },
			func() []byte { h := gohash.New(); h.Write(text); return h.Sum(dst[:0]) },
			func() []byte { d := cryptohash.Sum256(text); return append(dst[:0], d[:]...) },
		}},
		{"Kuznyechik-CTR", [3]func() []byte{
			stream(must(kuznyechik.NewCTR(key, iv[:8]))),
			stream(cipher.NewCTR(go1, iv)),
			stream(cryptoctr.NewCTR(crypto1, iv)),
		}},
		{"Kuznyechik-MGM", [3]func() []byte{
			seal(must(mgm.NewKuznyechik(key, 0))),
			seal(must(gomgm.NewMGM(go1, 16))),
			seal(must(cryptomgm.NewMGM(crypto1, 16))),
		}},
	}
}

// speeds are the best of short runs of the three, alternating.
func speeds(b bench, size int) (best [3]float64) {
	for range 100 {
		for i, f := range b.libs {
			n, start := 0, time.Now()
			for time.Since(start) < 2*time.Millisecond {
				f()
				n++
			}
			best[i] = max(best[i], float64(n*size)/time.Since(start).Seconds()/1e6)
		}
	}
	return best
}

func main() {
	bad, fastest := false, native.Here().Name()
	fmt.Println("MB/s; in brackets how many times as fast bulat is, which must be 25 at 16 KB by", fastest)
	fmt.Printf("%-10s %-15s %6s %9s %18s %18s\n", "kernel", "", "bytes", "bulat", "gogost", "gostcrypto")
	for _, set := range append(native.Names(), "portable") {
		if !native.Force(set) {
			fmt.Println("skipped: this machine has no", set)
			continue
		}
		for _, size := range []int{16, 1024, 16384} {
			for _, b := range benches(size) {
				want := bytes.Clone(b.libs[0]())
				for i, name := range []string{"gogost", "gostcrypto"} {
					if !bytes.Equal(b.libs[i+1](), want) {
						log.Fatalf("%s of %s is another", b.name, name)
					}
				}
				s := speeds(b, size)
				fmt.Printf("%-10s %-15s %6d %9.1f", set, b.name, size, s[0])
				for _, other := range s[1:] {
					fmt.Printf(" %9.2f (%6.1f)", other, s[0]/other)
					bad = bad || size == 16384 && set == fastest && s[0] < 25*other
				}
				fmt.Println()
			}
		}
	}
	if bad {
		fmt.Println("less than 25 times")
		os.Exit(1)
	}
}
