package main

import (
	"debug/elf"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// functions lists the functions of the linked code, an address and a name each; the last is the end of the code.
func functions(s set, top string) (lines []string) {
	out, err := exec.Command(tool(s, "nm"), "-C", filepath.Join(folder(s, top), "kernels.elf")).Output()
	if err != nil {
		log.Fatalf("nm: %v", err)
	}
	symbols := regexp.MustCompile(`(?m)^([0-9a-f]+) ([tT]) ([^.$].*)$`).FindAllStringSubmatch(string(out), -1)
	end := uint64(0)
	names := map[uint64]string{}
	for _, y := range symbols {
		at, err := strconv.ParseUint(y[1], 16, 64)
		if err != nil {
			log.Fatal(err)
		}
		if y[3] == "end_of_code" {
			end = at
		}
		// A function with two names has the first by the alphabet.
		if old, ok := names[at]; !ok || y[3] < old {
			names[at] = y[3]
		}
	}
	for at, name := range names {
		if at <= end {
			lines = append(lines, fmt.Sprintf("%06x %s", at, name))
		}
	}
	slices.Sort(lines)
	return lines
}

// printMap prints the functions of a program as nm does: Go's symbols, and in the code of each set what its file lists.
func printMap(program, top string) error {
	f, err := elf.Open(program)
	if err != nil {
		return err
	}
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	kernels := 0
	for _, y := range symbols {
		if elf.ST_TYPE(y.Info) != elf.STT_FUNC {
			continue
		}
		fmt.Printf("%016x T %s\n", y.Value, y.Name)
		for _, s := range sets {
			if s.goarch != "amd64" || !strings.HasSuffix(strings.ToLower(y.Name), "native.code"+s.name+".abi0") && !strings.HasSuffix(strings.ToLower(y.Name), "native.code"+s.name) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(top, "bindings/go/internal/native", "kernels_"+s.name+"_amd64.s"))
			if err != nil {
				return err
			}
			for _, line := range regexp.MustCompile(`(?m)^// code ([0-9a-f]+) (.*)$`).FindAllStringSubmatch(string(text), -1) {
				at, err := strconv.ParseUint(line[1], 16, 64)
				if err != nil {
					return err
				}
				fmt.Printf("%016x t %s\n", y.Value+at, line[2])
				kernels++
			}
		}
	}
	if kernels == 0 {
		return fmt.Errorf("%s: no kernels", program)
	}
	return nil
}
