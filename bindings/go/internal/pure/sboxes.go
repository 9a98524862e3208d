package pure

import "strings"

var sboxNames = [8][3]string{
	{"test", "id-Gost28147-89-TestParamSet", "1.2.643.2.2.31.0"},
	{"a", "id-Gost28147-89-CryptoPro-A-ParamSet", "1.2.643.2.2.31.1"},
	{"b", "id-Gost28147-89-CryptoPro-B-ParamSet", "1.2.643.2.2.31.2"},
	{"c", "id-Gost28147-89-CryptoPro-C-ParamSet", "1.2.643.2.2.31.3"},
	{"d", "id-Gost28147-89-CryptoPro-D-ParamSet", "1.2.643.2.2.31.4"},
	{"z", "id-tc26-gost-28147-param-Z", "1.2.643.7.1.2.5.1.1"},
	{"hash-test", "id-GostR3411-94-TestParamSet", "1.2.643.2.2.30.0"},
	{"hash-cryptopro", "id-GostR3411-94-CryptoProParamSet", "1.2.643.2.2.30.1"},
}

const (
	sboxesTest          = 0
	sboxesA             = 1
	sboxesZ             = 5
	sboxesHashTest      = 6
	sboxesHashCryptoPro = 7
)

// findSboxes returns the index of a name or object identifier, or -1.
func findSboxes(name string) int {
	for i, names := range sboxNames {
		for _, n := range names {
			if strings.EqualFold(n, name) {
				return i
			}
		}
	}
	return -1
}
