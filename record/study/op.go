package study

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"qipu/record"
)

// ID names an operation, and the node that it has added: the n-th of a device.
type ID struct {
	Device string
	Seq    uint64
}

// baseDevice is the device of the nodes of the base, which are numbered as in the record.
const baseDevice = "r"

// Base names a node of the base.
func Base(node int32) ID { return ID{baseDevice, uint64(node)} }

// Root is the first node of every sheet.
var Root = Base(0)

// String writes the name: r.12, laptop.3.
func (id ID) String() string { return id.Device + "." + strconv.FormatUint(id.Seq, 10) }

// ParseID reads a name as String writes it.
func ParseID(s string) (ID, error) {
	device, number, ok := strings.Cut(s, ".")
	n, err := strconv.ParseUint(number, 10, 53)
	if !ok || err != nil || !isDevice(device) && device != baseDevice || strconv.FormatUint(n, 10) != number {
		return ID{}, fmt.Errorf("study: %q names no node: want a device, a point and a number", clip(s))
	}
	return ID{device, n}, nil
}

// MarshalText writes the name.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads it.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// isDevice reports whether a text can name a device.
func isDevice(s string) bool {
	if len(s) < 2 || len(s) > 40 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// Seen is how far somebody knows the operations of each device: all up to that number.
type Seen map[string]uint64

// Has reports whether an operation is known.
func (s Seen) Has(id ID) bool { return id.Device == baseDevice || id.Seq <= s[id.Device] }

// Op is one change. It never changes itself.
type Op struct {
	ID    ID        `json:"id"`
	Clock uint64    `json:"clock"`         // greater than of all that its writer had seen
	Act   uint64    `json:"act,omitempty"` // the number of the first that was done with it; they are undone together
	By    string    `json:"by,omitempty"`  // the profile; empty for the owner of the library
	At    time.Time `json:"at"`
	Seen  Seen      `json:"seen,omitempty"` // of other devices; of its own all before are known

	Node  ID     `json:"node"`          // the parent of what is added, or whose value it is
	Key   Key    `json:"key,omitempty"` // empty: a node is added
	Value string `json:"value"`         // the move of what is added
	Side  int8   `json:"side,omitempty"`
}

// saw reports whether the writer of an operation knew another one.
func (o *Op) saw(id ID) bool {
	if id.Device == o.ID.Device {
		return id.Seq < o.ID.Seq
	}
	return o.Seen.Has(id)
}

// after is the order in which operations count where they do not know each other.
func (o *Op) after(x *Op) bool {
	if o.Clock != x.Clock {
		return o.Clock > x.Clock
	}
	if o.ID.Device != x.ID.Device {
		return o.ID.Device > x.ID.Device
	}
	return o.ID.Seq > x.ID.Seq
}

// Key says what a value is about. Signs on points are keys of their own, so that two who
// put signs on one board do not contradict each other; so are the properties of records.
type Key string

// The keys.
const (
	Comment Key = "comment"
	Glyph   Key = "glyph" // !! ! !? ?! ? ??
	Gone    Key = "gone"  // 1 for a node that was deleted
	Rank    Key = "rank"
	Off     Key = "off"   // of an operation: 1 where it was undone
	Turn    Key = "turn"  // who is to move next, as a record may say
	Setup   Key = "setup" // pieces that are put on points
)

// The beginnings of keys that are about something of the node: a sign, and a property of
// a record.
const (
	signKey = "sign/"
	propKey = "prop/"
)

// Sign returns the key of a sign on a point, or from one point to another, which are
// written as the record writes points. Its value is the text of a label, a colour, or
// "1"; empty where there is none.
func Sign(kind, points string) Key { return Key(signKey + kind + "/" + points) }

// SignOf takes the key of a sign apart.
func SignOf(k Key) (kind, points string, ok bool) {
	rest, ok := strings.CutPrefix(string(k), signKey)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "/")
}

// Signs are the kinds of signs, by the property of SGF that has them. Regions and arrows
// are between two points.
var Signs = map[string]string{
	"triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA", "label": "LB", "arrow": "AR", "region": "REGION",
}

// Glyphs are what can be thought of a move.
var Glyphs = []string{"!!", "!", "!?", "?!", "?", "??"}

// Colours are those of regions and arrows.
var Colours = []string{"green", "red", "blue", "yellow"}

// The bounds of one operation.
const (
	maxValue = 1 << 20 // of a comment, or of a property that a record has
	maxMove  = 100
	maxLabel = 40
	maxSeen  = 2000
)

// MaxOps bounds the log of a sheet.
const MaxOps = 1_000_000

// Errors of operations that cannot be.
var (
	ErrBad  = errors.New("study: no such change")
	ErrFull = errors.New("study: the sheet is full")
)

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrBad, fmt.Sprintf(format, args...))
}

// Check reports why an operation cannot be. That its node is not there is no reason: it
// may come later.
func (o *Op) Check() error {
	switch {
	case !isDevice(o.ID.Device):
		return bad("%q is no device", clip(o.ID.Device))
	case o.ID.Seq == 0 || o.ID.Seq > 1<<53:
		return bad("operations are numbered from 1")
	case o.Clock == 0 || o.Clock > 1<<53:
		return bad("the clock of an operation begins at 1")
	case len(o.Seen) > maxSeen:
		return bad("more than %d devices", maxSeen)
	case o.Act > o.ID.Seq:
		return bad("an operation cannot be done with a later one")
	case !utf8.ValidString(o.Value):
		return bad("the text is not UTF-8")
	}
	for d := range o.Seen {
		if !isDevice(d) {
			return bad("%q is no device", clip(d))
		}
	}
	return o.checkValue()
}

func (o *Op) checkValue() error {
	kind, points, sign := SignOf(o.Key)
	switch {
	case o.Key == "":
		if len(o.Value) > maxMove || strings.ContainsFunc(o.Value, unicode.IsControl) || o.Side < 0 {
			return bad("%q is no move", clip(o.Value))
		}
	case o.Key == Comment:
		if len(o.Value) > maxValue {
			return bad("a comment has at most %d bytes", maxValue)
		}
	case o.Key == Glyph:
		return oneOf("glyph", o.Value, Glyphs)
	case o.Key == Gone || o.Key == Off:
		return oneOf(string(o.Key), o.Value, []string{"1"})
	case o.Key == Rank:
		if !isRank(o.Value) {
			return bad("%q is no rank", clip(o.Value))
		}
	case o.Key == Turn:
		return oneOf("turn", o.Value, []string{"1", "2"})
	case sign:
		return checkSign(kind, points, o.Value)
	case o.Key == Setup || strings.HasPrefix(string(o.Key), propKey):
		if len(o.Value) > maxValue || len(o.Key) > 1000 {
			return bad("a property has at most %d bytes", maxValue)
		}
	default:
		return bad("nothing is called %q", clip(string(o.Key)))
	}
	return nil
}

func checkSign(kind, points, value string) error {
	if Signs[kind] == "" || points == "" || len(points) > 20 || strings.ContainsFunc(points, unicode.IsControl) {
		return bad("%q on %q is no sign", clip(kind), clip(points))
	}
	switch kind {
	case "label":
		if len(value) > maxLabel || strings.ContainsFunc(value, unicode.IsControl) {
			return bad("a label is one line of at most %d bytes", maxLabel)
		}
		return nil
	case "arrow", "region":
		return oneOf("colour", value, Colours)
	}
	return oneOf("sign", value, []string{"1"})
}

// oneOf refuses a value that is neither empty nor in a list.
func oneOf(what, value string, list []string) error {
	if value == "" {
		return nil
	}
	for _, s := range list {
		if s == value {
			return nil
		}
	}
	return bad("%q is no %s: want one of %s", clip(value), what, strings.Join(list, " "))
}

// clip shortens what stands in messages.
func clip(s string) string {
	if r := []rune(s); len(r) > 30 {
		return string(r[:30]) + "..."
	}
	return s
}

// sideOf is the side of a node that an operation adds.
func (o *Op) sideOf() record.Side { return record.Side(o.Side) }
