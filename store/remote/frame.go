package remote

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"time"
)

const (
	maxFrame = 16 << 20 // bytes of a message
	maxHello = 4 << 10  // of one that comes before the key was shown
	maxBatch = 1 << 30  // of all records of a batch
	oneChunk = 1 << 20  // of records in one frame
)

// The frames that there are.
const (
	frameHello = 'H' // JSON, the same in all versions
	frameTalk  = 'T' // a message
	frameBytes = 'B' // a piece of the records of a batch
)

var errFrame = errors.New("remote: a message that is none of this program")

// message is what the two sides say to each other.
type message struct {
	Kind string // see below

	// Of a request.
	Op    string // what is asked for
	Who   string // who acts
	Deed  []byte // what it is part of, as JSON; nil for nothing
	Lane  string
	Turn  int64
	Again bool // it may have been done already

	Args        []byte // of a request or call, or what an answer has; see pack
	Fault       *fault // of an answer
	Done, Total int    // of progress
}

// The kinds of messages.
const (
	kindAsk      = "ask"      // a request
	kindGo       = "ready"    // the client may go on: a transaction is open, or a lease given
	kindCall     = "call"     // of a client in its transaction
	kindAnswer   = "answer"   // to such a call
	kindCommit   = "commit"   // the client wants its transaction to happen, or gives its lease back
	kindAbort    = "abort"    // it does not
	kindNote     = "note"     // the host asks what else is noted with a batch
	kindProgress = "progress" // of what takes long
	kindAlive    = "alive"    // of who has a lease
	kindDone     = "done"     // the answer to the request
)

// pack encodes values one behind the other.
func pack(values ...any) ([]byte, error) {
	var buf bytes.Buffer
	enc := gob.NewEncoder(&buf)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			return nil, fmt.Errorf("remote: %w", err)
		}
	}
	return buf.Bytes(), nil
}

// unpack decodes values into what pointers point to.
func unpack(data []byte, to ...any) error {
	dec := gob.NewDecoder(bytes.NewReader(data))
	for _, p := range to {
		if err := dec.Decode(p); err != nil {
			return fmt.Errorf("%w: %w", errFrame, err)
		}
	}
	return nil
}

// unpackValues decodes values of the given types.
func unpackValues(data []byte, types []reflect.Type) ([]reflect.Value, error) {
	dec := gob.NewDecoder(bytes.NewReader(data))
	var list []reflect.Value
	for _, t := range types {
		v := reflect.New(t)
		if err := dec.DecodeValue(v); err != nil {
			return nil, fmt.Errorf("%w: %w", errFrame, err)
		}
		list = append(list, v.Elem())
	}
	return list, nil
}

// writeFrame writes a frame in one piece.
func writeFrame(w io.Writer, kind byte, data []byte) error {
	if len(data) > maxFrame {
		return fmt.Errorf("remote: a message of %d bytes, and %d are allowed", len(data), maxFrame)
	}
	frame := make([]byte, 5, 5+len(data))
	frame[0] = kind
	binary.BigEndian.PutUint32(frame[1:], uint32(len(data)))
	_, err := w.Write(append(frame, data...))
	return err
}

// readFrame reads a frame of at most so many bytes.
func readFrame(r io.Reader, most int) (kind byte, data []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if int64(n) > int64(most) {
		return 0, nil, fmt.Errorf("%w: it announces %d bytes", errFrame, n)
	}
	// Memory is taken as the bytes come: their number is only announced.
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, r, int64(n)); err != nil {
		return 0, nil, err
	}
	return head[0], buf.Bytes(), nil
}

// talk is one side of a connection after the greeting.
type talk struct{ net.Conn }

func (c talk) send(m *message) error {
	data, err := pack(m)
	if err != nil {
		return err
	}
	return writeFrame(c, frameTalk, data)
}

func (c talk) receive() (*message, error) {
	kind, data, err := readFrame(c, maxFrame)
	if err != nil {
		return nil, err
	}
	return parse(kind, data)
}

func parse(kind byte, data []byte) (*message, error) {
	m := new(message)
	if kind != frameTalk {
		return nil, errFrame
	}
	return m, unpack(data, m)
}

// sendBytes sends the records of a batch.
func (c talk) sendBytes(data []byte) error {
	for len(data) > 0 {
		n := min(oneChunk, len(data))
		if err := writeFrame(c, frameBytes, data[:n]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// stall is how long one side waits for the other where it holds others up.
const stall = 10 * time.Second
