package remote

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"

	"qipu/store"
)

const (
	keyName    = "writer.key"
	socketName = "writer.sock"

	// longestPath is how long the path of a socket may be on all systems.
	longestPath = 100

	// greeting is how long the two sides may take to know each other.
	greeting = 5 * time.Second
)

// protocol names what the two sides speak: the number of the frames, and a hash of all
// changes that can be asked for, so that programs that know others do not meet.
var protocol = func() string {
	h := fnv.New32a()
	for _, t := range []reflect.Type{reflect.TypeFor[store.Tx](), reflect.TypeFor[store.Library]()} {
		for i := range t.NumMethod() {
			fmt.Fprintln(h, t.Method(i).Name, t.Method(i).Type)
		}
	}
	return fmt.Sprintf("1-%08x", h.Sum32())
}()

// keyFile is what lies in the folder.
type keyFile struct {
	Network string `json:"network"`
	Address string `json:"address"`
	Key     string `json:"key"`
}

// hello is what the two sides say before anything else.
type hello struct {
	Qipu  string `json:"qipu,omitempty"` // the protocol
	Nonce string `json:"nonce,omitempty"`
	Proof string `json:"proof,omitempty"`
	Error string `json:"error,omitempty"`
}

// KeyError tells that the key of a library is not a secret.
type KeyError struct {
	Path string
	Mode fs.FileMode
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("remote: others can read or change %s, the key to write to the library (mode %04o): run chmod 600 %s, or end the program that writes to the library and start it again", e.Path, e.Mode.Perm(), e.Path)
}

// VersionError tells that the process that writes is of another version.
type VersionError struct{ Text string }

func (e *VersionError) Error() string { return "remote: " + e.Text }

// errNobody tells that nobody listens.
var errNobody = errors.New("remote: nobody listens")

func readKey(dir string) (k keyFile, err error) {
	path := filepath.Join(dir, keyName)
	f, err := os.Open(path)
	if err != nil {
		return k, fmt.Errorf("%w: %w", errNobody, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return k, fmt.Errorf("%w: %w", errNobody, err)
	}
	if mode := info.Mode(); runtime.GOOS != "windows" && mode.Perm()&0o077 != 0 {
		return k, &KeyError{Path: path, Mode: mode}
	}
	data := make([]byte, maxHello)
	n, _ := f.Read(data)
	if json.Unmarshal(data[:n], &k) != nil || len(k.Key) < 32 || k.Address == "" {
		return k, fmt.Errorf("%w: %s is not whole", errNobody, path)
	}
	return k, nil
}

// listen opens the socket of a folder and writes its key. The caller has the place of
// the writer.
func listen(dir string) (net.Listener, keyFile, error) {
	if old, err := readKey(dir); err == nil && old.Network == "unix" {
		removeSocket(old.Address) // of a writer that was killed
	}
	k := keyFile{Network: "unix", Address: filepath.Join(dir, socketName), Key: rand.Text() + rand.Text()}
	var l net.Listener
	var err error
	if runtime.GOOS == "windows" {
		var name string
		if l, name, err = listenPipe(); err == nil { // else by a port
			k.Network, k.Address = "pipe", name
		}
	} else {
		os.Remove(k.Address)
		if l, err = listenUnix(k.Address); err != nil { // too long, or a file system that has no sockets
			var temp string
			if temp, err = os.MkdirTemp("", "qipu-writer-"); err == nil {
				k.Address = filepath.Join(temp, socketName)
				l, _ = listenUnix(k.Address) // else by a port
			}
		}
	}
	if l == nil {
		k.Network = "tcp"
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, k, fmt.Errorf("remote: %w", err)
		}
		k.Address = l.Addr().String()
	}
	if err := writeKey(dir, k); err != nil {
		l.Close()
		return nil, k, err
	}
	return l, k, nil
}

func listenUnix(path string) (net.Listener, error) {
	if len(path) > longestPath {
		return nil, errors.New("the path is too long")
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	return l, os.Chmod(path, 0o600)
}

// removeSocket removes a socket, and the folder that was made for it alone.
func removeSocket(path string) {
	if filepath.Base(path) != socketName {
		return
	}
	os.Remove(path)
	if dir := filepath.Dir(path); strings.HasPrefix(filepath.Base(dir), "qipu-writer-") && filepath.Dir(dir) == filepath.Clean(os.TempDir()) {
		os.Remove(dir)
	}
}

// writeKey puts the key in its place in one step.
func writeKey(dir string, k keyFile) error {
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".writer-key-") // mode 0600
	if err != nil {
		return fmt.Errorf("remote: %w", err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, keyName))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("remote: %w", err)
	}
	return nil
}

// removeKey removes the key of a writer, if it is that one's still.
func removeKey(dir string, k keyFile) {
	if now, err := readKey(dir); err == nil && now == k {
		os.Remove(filepath.Join(dir, keyName))
	}
	if k.Network == "unix" {
		removeSocket(k.Address)
	}
}

// proof shows that a side knows the key: for one connection, and for its side.
func proof(key, side, client, host string) string {
	m := hmac.New(sha256.New, []byte(key))
	fmt.Fprintf(m, "%s\n%s\n%s\n", side, client, host)
	return hex.EncodeToString(m.Sum(nil))
}

func say(c net.Conn, h hello) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return writeFrame(c, frameHello, data)
}

func hear(c net.Conn) (h hello, err error) {
	kind, data, err := readFrame(c, maxHello)
	if err != nil {
		return h, err
	}
	if kind != frameHello || json.Unmarshal(data, &h) != nil {
		return h, errFrame
	}
	return h, nil
}

// dial connects to whoever writes to the library of a folder. It fails with errNobody
// where nobody listens who knows the key.
func dial(ctx context.Context, dir string) (net.Conn, error) {
	k, err := readKey(dir)
	if err != nil {
		return nil, err
	}
	c, err := connect(ctx, k)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNobody, err)
	}
	if err := greet(c, k.Key, protocol); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// connect connects to an address.
func connect(ctx context.Context, k keyFile) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, greeting)
	defer cancel()
	if k.Network == "pipe" {
		return dialPipe(ctx, k.Address)
	}
	return new(net.Dialer).DialContext(ctx, k.Network, k.Address)
}

// greet is the greeting of the client.
func greet(c net.Conn, key, speaks string) error {
	c.SetDeadline(time.Now().Add(greeting))
	mine := rand.Text()
	err := say(c, hello{Qipu: speaks, Nonce: mine})
	var h hello
	if err == nil {
		h, err = hear(c)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errNobody, err)
	case h.Error != "":
		return &VersionError{h.Error}
	case !hmac.Equal([]byte(h.Proof), []byte(proof(key, "host", mine, h.Nonce))):
		return fmt.Errorf("%w: whoever listens does not know the key", errNobody)
	}
	if err = say(c, hello{Proof: proof(key, "client", mine, h.Nonce)}); err == nil {
		h, err = hear(c)
	}
	if err != nil || h.Error != "" {
		return fmt.Errorf("%w: %v %s", errNobody, err, h.Error)
	}
	return c.SetDeadline(time.Time{})
}

// welcome is the greeting of the host.
func welcome(c net.Conn, key, holder string) error {
	c.SetDeadline(time.Now().Add(greeting))
	h, err := hear(c)
	if err != nil {
		return err
	}
	if h.Qipu != protocol {
		text := fmt.Sprintf("the library is being written to by %s, which is of another version than this program: end it and start it again with this version, or wait until it is done", holder)
		return errors.Join(errFrame, say(c, hello{Error: text}))
	}
	mine := rand.Text()
	if err := say(c, hello{Nonce: mine, Proof: proof(key, "host", h.Nonce, mine)}); err != nil {
		return err
	}
	client := h.Nonce
	if h, err = hear(c); err != nil {
		return err
	}
	if !hmac.Equal([]byte(h.Proof), []byte(proof(key, "client", client, mine))) {
		return errors.Join(errFrame, say(c, hello{Error: "this is not the key"}))
	}
	if err := say(c, hello{}); err != nil {
		return err
	}
	return c.SetDeadline(time.Time{})
}
