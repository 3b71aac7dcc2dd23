package split

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

var BOM = []byte("\xEF\xBB\xBF")

// UTF16Order returns the byte order of a text in UTF-16, or nil for any other:
// there is a byte order mark, or every other of the first bytes is NUL.
func UTF16Order(head []byte) binary.ByteOrder {
	if len(head) < 4 {
		return nil
	}
	switch {
	case head[0] == 0xFF && head[1] == 0xFE:
		return binary.LittleEndian
	case head[0] == 0xFE && head[1] == 0xFF:
		return binary.BigEndian
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return binary.LittleEndian
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return binary.BigEndian
	}
	return nil
}

// DecodeUTF16 appends the text of whole units of data to dst, without a byte
// order mark. Half a pair becomes U+FFFD.
func DecodeUTF16(dst, data []byte, order binary.ByteOrder) []byte {
	for len(data) >= 2 {
		r := rune(order.Uint16(data))
		data = data[2:]
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if len(data) >= 2 {
				low = rune(order.Uint16(data))
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				data = data[2:]
			}
		}
		if r != 0xFEFF {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// utf16Reader turns a stream of UTF-16 into UTF-8.
type utf16Reader struct {
	r     io.Reader
	order binary.ByteOrder
	in    []byte // not yet decoded: less than a character
	out   []byte // decoded, not yet handed out
	err   error
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		chunk := make([]byte, 16<<10)
		n := copy(chunk, u.in)
		var got int
		got, u.err = u.r.Read(chunk[n:])
		chunk = chunk[:n+got]
		whole := len(chunk) &^ 1
		if u.err == nil && whole >= 2 && u.order.Uint16(chunk[whole-2:])&0xFC00 == 0xD800 {
			whole -= 2 // the other half of the pair is still to come
		}
		u.out = DecodeUTF16(u.out[:0], chunk[:whole], u.order)
		u.in = append(u.in[:0], chunk[whole:]...)
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// utf16Size returns how many bytes a UTF-8 text takes in UTF-16.
func utf16Size(text []byte) int64 {
	n := int64(0)
	for _, r := range string(text) {
		n += 2
		if r > 0xFFFF {
			n += 2
		}
	}
	return n
}
