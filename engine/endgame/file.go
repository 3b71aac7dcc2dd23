package endgame

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"qipu/segment"
)

// A table is a segment of three sections: "about" is an About, "first" and "second" are
// the values with the first and with the second side to move, a block of them a page,
// each compressed. Where there is no position, a file has any value: that of the one
// before compresses best.
const (
	fileKind    = "endgame"
	fileVersion = 1
	suffix      = ".seg"
	blockLen    = 1 << 15
)

var kinds = segment.Kinds{fileKind: {Min: fileVersion, Max: fileVersion}}

// About is what a table tells of itself.
type About struct {
	Game      string   `json:"game"`
	Material  string   `json:"material"`
	Positions int64    `json:"positions"` // numbers, with both sides to move
	Counts    [2]Count `json:"counts"`    // with the side to move that is named first, and with the other
	Example   string   `json:"example"`   // one of the longest wins
	Build     string   `json:"build"`     // by which version of the method
}

// method is the version of how tables are worked out: one that changes values changes it.
const method = "1"

var sections = [2]string{"first", "second"}

// store writes a table, and publishes it when it is whole.
func store(dir string, a About, v *values) (int64, error) {
	w, err := segment.Create(dir, a.Material+suffix, fileKind, fileVersion)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	about, err := json.Marshal(a)
	if err != nil {
		return 0, err
	}
	w.Section("about")
	w.Write(about)
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	defer enc.Close()
	block := make([]byte, blockLen)
	var packed []byte
	last := unknown
	for side, name := range sections {
		w.Section(name)
		for at := 0; at < len(v.of[side]); at += blockLen {
			part := block[:copy(block, v.of[side][at:])]
			for i, c := range part {
				if c == nothing {
					part[i] = last
				}
				last = part[i]
			}
			packed = enc.EncodeAll(part, packed[:0])
			w.Write(packed)
			w.Page()
		}
	}
	info, err := w.Commit()
	return info.Size, err
}

// table is an open file.
type table struct {
	*shape
	about  About
	bytes  int64
	file   *segment.File
	parts  [2]*segment.Section
	blocks [2][]atomic.Pointer[[]byte]
	kept   *atomic.Int64 // bytes of blocks that all tables keep
}

// openFile opens a table for a game.
func openFile(f *segment.File, l *law, kept *atomic.Int64) (*table, error) {
	t := &table{file: f, bytes: f.Info().Size, kept: kept}
	s, ok := f.Section("about")
	if !ok {
		return nil, damaged(f, "it does not say what it is")
	}
	data, err := s.Bytes()
	if err == nil {
		err = segment.Guard(func() error { return json.Unmarshal(data, &t.about) })
	}
	if err != nil {
		return nil, errors.Join(damaged(f, "what it says of itself cannot be read"), err)
	}
	x, err := ParseMaterial(l.men, t.about.Material)
	if err != nil || t.about.Game != l.men.Name {
		return nil, damaged(f, fmt.Sprintf("it is of %s %s, which is no ending of this game", t.about.Game, t.about.Material))
	}
	if t.shape, err = newShape(l, x); err != nil {
		return nil, err
	}
	blocks := (t.size + blockLen - 1) / blockLen
	for side, name := range sections {
		if t.parts[side], ok = f.Section(name); !ok || t.parts[side].Pages() != blocks {
			return nil, damaged(f, "it does not have as many blocks as the ending needs")
		}
		t.blocks[side] = make([]atomic.Pointer[[]byte], blocks)
	}
	return t, nil
}

func damaged(f *segment.File, why string) error {
	return &segment.CorruptError{Path: f.Info().Path, Page: -1, Reason: why}
}

// decoder unpacks blocks, for many at once.
var decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<24))

// unpack appends a block to dst.
func (t *table) unpack(dst []byte, side, i int) ([]byte, error) {
	page, err := t.parts[side].Page(i)
	if err != nil {
		return nil, err
	}
	was := len(dst)
	err = segment.Guard(func() (err error) {
		dst, err = decoder.DecodeAll(page, dst)
		return err
	})
	if err != nil || len(dst)-was != min(blockLen, t.size-i*blockLen) {
		return nil, errors.Join(damaged(t.file, fmt.Sprintf("block %d of %s cannot be unpacked", i, sections[side])), err)
	}
	return dst, nil
}

// value returns the byte of a number.
func (t *table) value(side, number int) (byte, error) {
	at := &t.blocks[side][number/blockLen]
	if b := at.Load(); b != nil {
		return (*b)[number%blockLen], nil
	}
	b, err := t.unpack(make([]byte, 0, min(blockLen, t.size)), side, number/blockLen)
	if err != nil {
		return 0, err
	}
	if at.CompareAndSwap(nil, &b) {
		t.kept.Add(int64(len(b)))
	}
	return b[number%blockLen], nil
}

// forget lets go of all blocks.
func (t *table) forget() {
	for side := range t.blocks {
		for i := range t.blocks[side] {
			if b := t.blocks[side][i].Swap(nil); b != nil {
				t.kept.Add(-int64(len(*b)))
			}
		}
	}
}

// values unpacks all of a table.
func (t *table) values() (v *values, err error) {
	v = &values{shape: t.shape}
	for side := range v.of {
		v.of[side] = make([]byte, 0, t.size)
		for i := range t.blocks[side] {
			if v.of[side], err = t.unpack(v.of[side], side, i); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// Folder returns where tables are kept unless somebody says otherwise: one folder for
// all libraries of a user.
func Folder(env func(string) (string, bool)) (string, error) {
	if dir, ok := env("QIPU_ENDGAME"); ok && dir != "" {
		return dir, nil
	}
	if dir, ok := env("XDG_DATA_HOME"); ok && dir != "" {
		return filepath.Join(dir, "qipu-endgame"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no place for tables of endings: %w", err)
	}
	return filepath.Join(home, ".local", "share", "qipu-endgame"), nil
}

// tablesIn returns the names of the tables in a folder.
func tablesIn(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok && !e.IsDir() && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names, err
}
