//go:build !amd64 && !arm64

package nnue

func codes() []code { return []code{portable} }

func best() code { return portable }
