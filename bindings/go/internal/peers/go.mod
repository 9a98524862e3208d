module github.com/bulat-crypto/bulat/bindings/go/internal/peers

go 1.25

require (
	github.com/bigbes/gostcrypto v0.0.0-20260622000000-143bf5400000
	github.com/bulat-crypto/bulat/bindings/go v0.0.0
	github.com/pedroalbanese/gogost v0.0.0-20250117000000-44a1f1e00000
)

replace (
	github.com/bigbes/gostcrypto => ./sources/gostcrypto
	github.com/bulat-crypto/bulat/bindings/go => ../..
	github.com/pedroalbanese/gogost => ./sources/gogost
)
