package remote

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	rejectRemote = 8       // PIPE_REJECT_REMOTE_CLIENTS: no other machine
	pipeBuffer   = 1 << 16 // bytes each way
	pipeBusy     = 10 * time.Millisecond
)

// pipeListener is a named pipe to which nobody but the user of this process can connect.
// There is always one instance of it that waits for a client.
type pipeListener struct {
	name     string
	security *windows.SecurityAttributes
	ended    windows.Handle // an event

	mu     sync.Mutex // one at a time waits
	next   windows.Handle
	closed bool
	once   sync.Once
}

// listenPipe opens a named pipe of a name that nobody can foresee.
func listenPipe() (net.Listener, string, error) {
	me, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, "", fmt.Errorf("remote: %w", err)
	}
	security, err := windows.SecurityDescriptorFromString("D:P(A;;GA;;;" + me.User.Sid.String() + ")")
	if err != nil {
		return nil, "", fmt.Errorf("remote: %w", err)
	}
	l := &pipeListener{name: `\\.\pipe\qipu-` + rand.Text(), security: &windows.SecurityAttributes{SecurityDescriptor: security}}
	l.security.Length = uint32(unsafe.Sizeof(*l.security))
	if l.ended, err = windows.CreateEvent(nil, 1, 0, nil); err != nil {
		return nil, "", fmt.Errorf("remote: %w", err)
	}
	if l.next, err = l.instance(windows.FILE_FLAG_FIRST_PIPE_INSTANCE); err != nil {
		windows.CloseHandle(l.ended)
		return nil, "", fmt.Errorf("remote: %w", err)
	}
	return l, l.name, nil
}

// instance makes one end of the pipe, for one client.
func (l *pipeListener) instance(flags uint32) (windows.Handle, error) {
	name, err := windows.UTF16PtrFromString(l.name)
	if err != nil {
		return 0, err
	}
	return windows.CreateNamedPipe(name, windows.PIPE_ACCESS_DUPLEX|windows.FILE_FLAG_OVERLAPPED|flags, windows.PIPE_TYPE_BYTE|rejectRemote,
		windows.PIPE_UNLIMITED_INSTANCES, pipeBuffer, pipeBuffer, 0, l.security)
}

// Accept waits for the next client.
func (l *pipeListener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if l.closed {
			return nil, net.ErrClosed
		}
		if l.next == 0 {
			next, err := l.instance(0)
			if err != nil {
				return nil, err
			}
			l.next = next
		}
		end := l.next
		l.next = 0
		err := l.connect(end)
		if err == nil {
			if next, err := l.instance(0); err == nil {
				l.next = next // there is always one for the next client
			}
			return pipe{os.NewFile(uintptr(end), l.name)}, nil
		}
		windows.CloseHandle(end)
		if !errors.Is(err, windows.ERROR_NO_DATA) { // else it is gone again
			return nil, err
		}
	}
}

// connect waits until a client has one end, or the listener is closed.
func (l *pipeListener) connect(end windows.Handle) error {
	event, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(event)
	o := &windows.Overlapped{HEvent: event}
	switch err := windows.ConnectNamedPipe(end, o); err {
	case nil, windows.ERROR_PIPE_CONNECTED:
		return nil
	case windows.ERROR_IO_PENDING:
	default:
		return err
	}
	which, err := windows.WaitForMultipleObjects([]windows.Handle{event, l.ended}, false, windows.INFINITE)
	if err == nil && which != windows.WAIT_OBJECT_0 {
		err = net.ErrClosed
	}
	var n uint32
	if err != nil {
		windows.CancelIoEx(end, o)
		_ = windows.GetOverlappedResult(end, o, &n, true) // nothing writes to o any more
		return err
	}
	return windows.GetOverlappedResult(end, o, &n, false)
}

// Close ends waiting. Those who are connected stay so.
func (l *pipeListener) Close() error {
	l.once.Do(func() {
		windows.SetEvent(l.ended)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.closed = true
		if l.next != 0 {
			windows.CloseHandle(l.next)
			l.next = 0
		}
	})
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr(l.name) }

type pipeAddr string

func (pipeAddr) Network() string  { return "pipe" }
func (a pipeAddr) String() string { return string(a) }

// pipe is one end of a named pipe with a client.
type pipe struct{ *os.File }

func (p pipe) LocalAddr() net.Addr  { return pipeAddr(p.Name()) }
func (p pipe) RemoteAddr() net.Addr { return pipeAddr(p.Name()) }

// dialPipe connects to a named pipe. Whoever listens learns nothing of who it is, and cannot
// act in its name.
func dialPipe(ctx context.Context, name string) (net.Conn, error) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	for {
		end, err := windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING,
			windows.FILE_FLAG_OVERLAPPED|windows.SECURITY_SQOS_PRESENT|windows.SECURITY_ANONYMOUS, 0)
		if err == nil {
			return pipe{os.NewFile(uintptr(end), name)}, nil
		}
		if !errors.Is(err, windows.ERROR_PIPE_BUSY) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pipeBusy):
		}
	}
}
