package pure

func nativeBlocks(s *streebogState, data []byte, first int) bool                 { return false }
func nativeFinish(s *streebogState, rest []byte, first int) bool                 { return false }
func nativeSchedule(c *Cipher) []byte                                            { return nil }
func nativePrepare(c *Cipher, key []byte)                                        {}
func nativeMap(c *Cipher, decrypt bool, dst, src []byte)                         {}
func nativeStream(c *Cipher, counter []byte, count Count, dst, src []byte)       {}
func nativeChain(c *Cipher, kind Chain, z, dst, src []byte)                      {}
func nativeMultiply(sum, h, a []byte)                                            {}
func nativeSections(c *Cipher, counter []byte, section int, dst, src []byte) int { return 0 }
func nativeProducts(c *Cipher, counter, before, blocks, sum []byte) int          { return 0 }
func nativeCopy(schedule []byte) []byte                                          { return nil }

func kernelName() string { return "portable" }
