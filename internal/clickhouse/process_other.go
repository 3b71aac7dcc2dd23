//go:build !linux

package clickhouse

import (
	"errors"
	"os"
	"os/exec"
)

// launch starts a command.
func launch(cmd *exec.Cmd) error { return cmd.Start() }

// canStop tells that processes can be stopped and continued.
const canStop = false

var errStop = errors.New("processes are stopped on Linux only")

func stop(*os.Process) error { return errStop }
func cont(*os.Process) error { return errStop }
func alive(int) bool         { return true }
