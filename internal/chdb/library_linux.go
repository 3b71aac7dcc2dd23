package chdb

import (
	"fmt"
	"os"
	"syscall"

	"github.com/ebitengine/purego"
)

// functions are those of libchdb and of the C library that we call. Handles are
// addresses outside the memory of Golang.
type functions struct {
	connect func(argc int32, argv []*byte) *uintptr // the address of a handle; nil: it failed
	close   func(connection *uintptr)
	query   func(handle uintptr, sql []byte, n uint, format string, formatN uint) uintptr

	open    func(handle uintptr, sql []byte, n uint, format string, formatN uint) uintptr // an INSERT, never 0
	append  func(insert uintptr, data []byte, n uint) int32
	done    func(insert uintptr) uintptr // a result
	trouble func(insert uintptr) string
	destroy func(insert uintptr)

	length func(result uintptr) uint
	buffer func(result uintptr) uintptr
	error  func(result uintptr) string
	free   func(result uintptr)

	memcpy func(to []byte, from uintptr, n uint) uintptr
}

// load opens the library. A process does it once: the library cannot be closed.
func load(path string) (*functions, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("chdb: %w: is it a libchdb.so for this machine?", err)
	}
	var f functions
	var quiet func(enabled int32)
	var sigaction func(signal int32, act, old []byte) int32
	for name, to := range map[string]any{
		"chdb_connect": &f.connect, "chdb_close_conn": &f.close, "chdb_query_n": &f.query,
		"chdb_stream_insert_n": &f.open, "chdb_stream_append": &f.append, "chdb_stream_done": &f.done,
		"chdb_stream_insert_error": &f.trouble, "chdb_destroy_insert_stream": &f.destroy,
		"chdb_result_length": &f.length, "chdb_result_buffer": &f.buffer, "chdb_result_error": &f.error,
		"chdb_destroy_query_result": &f.free, "chdb_set_signal_handlers_enabled": &quiet,
		"memcpy": &f.memcpy, "sigaction": &sigaction,
	} {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("chdb: %w: take release %s", err, release)
		}
		purego.RegisterFunc(to, symbol)
	}

	// The engine would take the signals by which Golang sees a nil pointer, and
	// where it is told not to, it sets them to what they are in a new process. So
	// they are put back.
	var saved [32][256]byte // longer than a struct sigaction of any machine
	for i := 1; i < len(saved); i++ {
		sigaction(int32(i), nil, saved[i][:])
	}
	quiet(0)
	for i := 1; i < len(saved); i++ {
		if s := syscall.Signal(i); s != syscall.SIGKILL && s != syscall.SIGSTOP {
			sigaction(int32(i), saved[i][:], nil)
		}
	}
	return &f, nil
}

// lock takes the lock of a file, and waits for it.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
