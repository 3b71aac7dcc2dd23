//go:build !linux

package testkit

import "os/exec"

// Process is exec.Command. Where the system can, the program ends when the test
// binary does.
func Process(name string, args ...string) *exec.Cmd { return exec.Command(name, args...) }
