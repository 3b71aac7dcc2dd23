package dataset_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/mine/dataset"
	"qipu/mine/dataset/datasettest"
)

func TestWriteCSV(t *testing.T) {
	s := toy()
	s.Judgements[0].Values[2] = dataset.Unknown
	var b bytes.Buffer
	if err := s.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 71 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := strings.Join(rows[0], " "); got != "game ply weight item:a item:b material factor:opening judgement:result" {
		t.Error(got)
	}
	if got := strings.Join(rows[70], " "); got != "70 40 1 1 1 0 x 0" {
		t.Error(got)
	}
	if rows[3][7] != "" || rows[2][6] != "" {
		t.Errorf("what is unknown: %q, %q", rows[3], rows[2])
	}
}

// TestWriteArrow reads a stream with a second reader, which follows the format step by step
// and shares nothing with the writer.
func TestWriteArrow(t *testing.T) {
	s := toy()
	s.Judgements[0].Values[2] = dataset.Unknown
	var b bytes.Buffer
	if err := s.WriteArrow(&b); err != nil {
		t.Fatal(err)
	}
	names, columns := readArrow(t, b.Bytes())
	if got := strings.Join(names, " "); got != "game ply weight item:a item:b material factor:opening judgement:result" {
		t.Fatal(got)
	}
	var lines bytes.Buffer
	if err := s.WriteCSV(&lines); err != nil {
		t.Fatal(err)
	}
	rows, _ := csv.NewReader(&lines).ReadAll()
	for c := range names {
		for r := range s.Rows {
			if got, want := columns[c][r], rows[r+1][c]; got != want {
				t.Fatalf("%s, row %d: %q, and %q in CSV", names[c], r, got, want)
			}
		}
	}
	// Several messages.
	large := dataset.New("large", datasettest.GameRows(70_000))
	large.AddFact(dataset.Item{ID: "last"}, []int{65_535, 65_536, 69_999})
	b.Reset()
	if err := large.WriteArrow(&b); err != nil {
		t.Fatal(err)
	}
	if _, columns = readArrow(t, b.Bytes()); len(columns[3]) != 70_000 || columns[3][65_535]+columns[3][65_536]+columns[3][69_999]+columns[3][0] != "1110" {
		t.Errorf("%d rows", len(columns[3]))
	}
}

// TestArrowElsewhere has the implementation of the Arrow project for JavaScript read a
// stream of several messages, with QIPU_NPM, as it needs npm.
func TestArrowElsewhere(t *testing.T) {
	if os.Getenv("QIPU_NPM") == "" {
		t.Skip("QIPU_NPM is not set")
	}
	s := dataset.New("large", datasettest.GameRows(70_000))
	s.AddFact(dataset.Item{ID: "seldom"}, []int{0, 65_535, 65_536, 69_999})
	values, words := make([]float64, 70_000), make([]string, 70_000)
	for r := range values {
		values[r], words[r] = float64(r)/8, fmt.Sprint("系統 ", r%7)
		if r%5 == 3 {
			values[r], words[r] = dataset.Unknown, ""
		}
	}
	s.AddNumber("material", values)
	s.AddFactor("opening", words)
	s.AddJudgement(dataset.Result, values)
	file := filepath.Join(t.TempDir(), "table.arrow")
	var stream, lines bytes.Buffer
	if err := errors.Join(s.WriteArrow(&stream), s.WriteCSV(&lines)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, stream.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "npm", "exec", "--yes", "--loglevel", "error", "--package", "apache-arrow@21.2.0", "--", "arrow2csv", "-f", file)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := csv.NewReader(&lines).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	r := 0 // the title stands before each message
	for line := range strings.Lines(string(out)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 1+len(want[0]) {
			if len(cells) > 1 {
				t.Fatalf("%d columns, want %d: %s", len(cells)-1, len(want[0]), line)
			}
			continue
		}
		for c, cell := range cells[1:] {
			cell = strings.TrimSpace(cell)
			switch was := cell; {
			case strings.Contains(cells[0], "row_id"):
				if name := strings.Trim(cell, `"`); !strings.HasPrefix(name, want[0][c]+": ") {
					t.Fatalf("column %s is called %s", want[0][c], name)
				}
				continue
			case was == "null":
				cell = ""
			case was == "true" || was == "false":
				cell = map[string]string{"true": "1", "false": "0"}[was]
			default:
				cell = strings.Trim(was, `"`)
			}
			if cell != want[1+r][c] {
				t.Fatalf("row %d, %s: %s, and %q in CSV", r, want[0][c], cell, want[1+r][c])
			}
		}
		if !strings.Contains(cells[0], "row_id") {
			r++
		}
	}
	if r != len(values) {
		t.Errorf("%d rows were read of %d", r, len(values))
	}
}

// fb is a place in a FlatBuffer.
type fb struct {
	data []byte
	at   int
}

func (t fb) u16(at int) int { return int(binary.LittleEndian.Uint16(t.data[at:])) }
func (t fb) i32(at int) int { return int(int32(binary.LittleEndian.Uint32(t.data[at:]))) }
func (t fb) i64(at int) int { return int(binary.LittleEndian.Uint64(t.data[at:])) }

// field returns where a field of the table is, 0 for none.
func (t fb) field(i int) int {
	vtable := t.at - t.i32(t.at)
	if 4+2*i >= t.u16(vtable) {
		return 0
	}
	if o := t.u16(vtable + 4 + 2*i); o != 0 {
		return t.at + o
	}
	return 0
}

// follow follows the reference at a field.
func (t fb) follow(i int) fb {
	at := t.field(i)
	return fb{t.data, at + t.i32(at)}
}

func readArrow(t *testing.T, data []byte) (names []string, columns [][]string) {
	t.Helper()
	var types []byte
	for {
		if len(data) < 8 || binary.LittleEndian.Uint32(data) != 0xFFFFFFFF {
			t.Fatal("no message")
		}
		size := int(binary.LittleEndian.Uint32(data[4:]))
		if size == 0 {
			if len(data) != 8 {
				t.Fatal("there is something behind the end")
			}
			return names, columns
		}
		if size%8 != 0 {
			t.Fatal("a message does not end on eight bytes")
		}
		meta := data[8 : 8+size]
		m := fb{meta, int(binary.LittleEndian.Uint32(meta))}
		body := 0
		if at := m.field(3); at != 0 {
			if at%8 != 0 {
				t.Fatal("a long number does not lie on eight bytes")
			}
			body = m.i64(at)
		}
		if m.u16(m.field(0)) != 4 {
			t.Fatal("not version 5")
		}
		head := m.follow(2)
		rest := data[8+size:]
		switch meta[m.field(1)] {
		case 1:
			list := head.follow(1)
			for i := range list.i32(list.at) {
				at := list.at + 4 + 4*i
				field := fb{meta, at + list.i32(at)}
				name := field.follow(0)
				names = append(names, string(meta[name.at+4:name.at+4+name.i32(name.at)]))
				types = append(types, meta[field.field(2)])
				typ := field.follow(3)
				switch types[i] {
				case 2:
					if typ.i32(typ.field(0)) != 32 || meta[typ.field(1)] != 1 {
						t.Fatal("not a signed number of 32 bits")
					}
				case 3:
					if typ.u16(typ.field(0)) != 2 {
						t.Fatal("not a double")
					}
				}
				if children := field.follow(5); children.i32(children.at) != 0 {
					t.Fatal("a column has children")
				}
			}
			columns = make([][]string, len(names))
		case 3:
			n := head.i64(head.field(0))
			nodes, buffers := head.follow(1), head.follow(2)
			next := 0
			buffer := func() []byte {
				at := buffers.at + 4 + 16*next
				next++
				from, size := buffers.i64(at), buffers.i64(at+8)
				if from%8 != 0 || (buffers.at+4)%8 != 0 {
					t.Fatal("a buffer does not lie on eight bytes")
				}
				return rest[:body][from : from+size]
			}
			for c := range names {
				nulls := 0
				valid := buffer()
				var offsets []byte
				if types[c] == 5 {
					offsets = buffer()
				}
				values := buffer()
				for r := range n {
					text := ""
					known := valid[r/8]>>(r%8)&1 != 0
					switch types[c] {
					case 2:
						text = itoa(int(int32(binary.LittleEndian.Uint32(values[4*r:]))))
					case 3:
						x := math.Float64frombits(binary.LittleEndian.Uint64(values[8*r:]))
						text = itoa(int(x))
						if x != math.Trunc(x) {
							t.Fatal("a number of the example is not whole")
						}
					case 5:
						text = string(values[binary.LittleEndian.Uint32(offsets[4*r:]):binary.LittleEndian.Uint32(offsets[4*r+4:])])
					case 6:
						text = itoa(int(values[r/8] >> (r % 8) & 1))
					}
					if !known {
						nulls++
						text = ""
					}
					columns[c] = append(columns[c], text)
				}
				at := nodes.at + 4 + 16*c
				if nodes.i64(at) != n || nodes.i64(at+8) != nulls {
					t.Fatalf("%s: %d rows and %d nulls, told %d and %d", names[c], n, nulls, nodes.i64(at), nodes.i64(at+8))
				}
			}
		default:
			t.Fatal("an unknown message")
		}
		data = rest[body:]
	}
}

func itoa(n int) string {
	if n == 0 {
		return "0"
	}
	var digits []byte
	for ; n > 0; n /= 10 {
		digits = append(digits, byte('0'+n%10))
	}
	slices.Reverse(digits)
	return string(digits)
}
