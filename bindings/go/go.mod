module github.com/bulat-crypto/bulat/bindings/go

go 1.25
