//go:build !amd64

package nnue

func codes() []code { return []code{portable} }

func best() code { return portable }
