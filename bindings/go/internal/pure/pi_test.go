package pure

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/bulat-crypto/bulat/bindings/go/internal/made"
)

// TestCircuits compares pi.go with the circuits of the library, gate by gate. With BULAT_WRITE=1 it writes pi.go.
func TestCircuits(t *testing.T) {
	source, err := os.ReadFile("../../../../crates/core/src/pi.rs")
	if err != nil {
		t.Skip("the module without its repository: ", err)
	}
	text := "// Code generated from crates/core/src/pi.rs: BULAT_WRITE=1 go test -run TestCircuits ./internal/pure; DO NOT EDIT.\n\npackage pure\n"
	names := map[string]string{"pi": "pi", "pi_inverse": "piInverse"}
	does := map[string]string{
		"pi":         "applies the S-box of Streebog (RFC 6986, 6.2) and Kuznyechik (RFC 7801, 4.1.1) to the bytes of bit planes",
		"pi_inverse": "applies the inverse S-box",
	}
	words := strings.NewReplacer("& !", "&^ ", "!", "^", ";\n", "\n", "    let [x0, x1, x2, x3, x4, x5, x6, x7] = x",
		"\tx0, x1, x2, x3, x4, x5, x6, x7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]")
	for _, f := range regexp.MustCompile(`(?s)pub fn (\w+)<T: Bits>.*?\{\n(.*?\n)\}`).FindAllStringSubmatch(string(source), -1) {
		body := words.Replace(strings.ReplaceAll(f[2], "; let", ";\n    let")) // a gate a line
		body = regexp.MustCompile(`(?m)^    let (x\d) =`).ReplaceAllString(body, "\t$1 =")
		body = regexp.MustCompile(`(?m)^    let (\w+) =`).ReplaceAllString(body, "\t$1 :=")
		body = regexp.MustCompile(`(?m)^    \[(.*)\]$`).ReplaceAllString(body, "\t*x = [8]uint64{$1}")
		text += "\n// " + names[f[1]] + " " + does[f[1]] + ".\nfunc " + names[f[1]] + "(x *[8]uint64) {\n" + body + "}\n"
	}
	made.Check(t, "pi.go", text)
}
