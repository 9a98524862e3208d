//go:build bulat_cgo

package engine

func sets() []string    { return []string{"libbulat"} }
func force(string) bool { return true }
