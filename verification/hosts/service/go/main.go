// Programs of others that use Vault from Go, unmodified: `foreign NAME` runs a program of the list. It prints each call that works, and ends
// with 1 at the first that does not.
package main

import (
	"fmt"
	"os"
)

func main() {
	programs := map[string]func(){"api": vaultAPI, "kms": kms, "client": vaultClient, "tink": tinkAEAD, "gocloud": keeper}
	programs[os.Args[1]]()
}

func check(call string, err error) {
	if err != nil {
		fmt.Printf("%s: %v\n", call, err)
		os.Exit(1)
	}
	fmt.Println(call)
}

// right checks a value; refused checks that a misuse is an error.
func right(call string, right bool) {
	if !right {
		check(call, fmt.Errorf("another value"))
	}
}

func refused(call string, err error) {
	if err == nil {
		check(call, fmt.Errorf("it is not refused"))
	}
	fmt.Println(call + ": refused")
}
