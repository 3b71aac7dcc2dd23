//go:build !amd64 && !arm64

package net

func best() code { return portable }

func codes() []code { return []code{portable} }
