package kuznyechik

import "github.com/bulat-crypto/bulat/bindings/go/internal/engine"

// XTS is the cipher of sectors of IEEE 1619, which is no standard of GOST.
type XTS struct{ x *engine.XTS }

// NewXTS prepares two keys of 32 bytes, which must differ.
func NewXTS(keys []byte) (*XTS, error) {
	x, err := engine.NewXTS(keys)
	if err != nil {
		return nil, err
	}
	return &XTS{x}, nil
}

// Encrypt encrypts a sector of a block or more; the tweak is its number, 16 bytes, little-endian.
func (x *XTS) Encrypt(dst, src, tweak []byte) error { return x.x.Crypt(false, dst, src, tweak) }

// Decrypt decrypts a sector.
func (x *XTS) Decrypt(dst, src, tweak []byte) error { return x.x.Crypt(true, dst, src, tweak) }
