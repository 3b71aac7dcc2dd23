package remote

import (
	"errors"
	"net"
	"testing"
)

// TestPipe: on Windows the writer listens on a named pipe, which whoever has the key finds and
// greets, and nobody else; it ends as a listener does.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	l, k, err := listen(dir)
	if err != nil {
		t.Fatal(err)
	}
	if k.Network != "pipe" {
		t.Fatalf("the writer listens on %s %s", k.Network, k.Address)
	}
	ended := make(chan error, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			go func() {
				defer c.Close()
				if welcome(c, k.Key, "test") != nil {
					return
				}
				if kind, data, err := readFrame(c, maxHello); err == nil {
					writeFrame(c, kind, data)
				}
			}()
		}
	}()
	for range 3 {
		c, err := dial(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := writeFrame(c, frameHello, []byte("here")); err != nil {
			t.Fatal(err)
		}
		if kind, data, err := readFrame(c, maxHello); err != nil || kind != frameHello || string(data) != "here" {
			t.Errorf("%d %q (%v)", kind, data, err)
		}
		c.Close()
	}
	wrong := k
	wrong.Key = k.Key[1:] + "A"
	if err := writeKey(dir, wrong); err != nil {
		t.Fatal(err)
	}
	if c, err := dial(t.Context(), dir); err == nil {
		c.Close()
		t.Error("a wrong key is let in")
	}
	l.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("the end is %v", err)
	}
	if _, err := connect(t.Context(), k); err == nil {
		t.Error("somebody listens still")
	}
}
