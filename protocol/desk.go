package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"qipu/engine"
	"qipu/game"
	"qipu/record"
)

// Open returns an engine that plays a game. The session closes it.
type Open func(r game.Rules) (engine.Engine, error)

// desk is what the sessions of both protocols have: a table, an engine, and a
// line to the other program.
type desk struct {
	*running
	open   Open
	feed   *feed
	out    *bufio.Writer
	engine engine.Engine // nil until it is needed
	plays  string        // the game that it was made for
}

// thinker returns an engine for the game on the table.
func (d *desk) thinker() (engine.Engine, error) {
	info := d.rules.Info()
	if spec := info.Name + ":" + info.Variant; d.engine == nil || d.plays != spec {
		if err := d.close(); err != nil {
			return nil, err
		}
		if d.open == nil {
			return nil, errors.New("there is no engine")
		}
		e, err := d.open(d.rules)
		if err != nil {
			return nil, err
		}
		d.engine, d.plays = e, spec
	}
	return d.engine, nil
}

// close closes the engine.
func (d *desk) close() error {
	e := d.engine
	d.engine = nil
	if e == nil {
		return nil
	}
	return e.Close()
}

// readRecord returns the first record of a file, in the format that is surest of
// it.
func readRecord(formats []record.Format, games game.Catalog, name string, size int64, r io.Reader) (*record.Played, error) {
	in := bufio.NewReaderSize(r, record.SniffLen)
	head, _ := in.Peek(record.SniffLen)
	var best record.Format
	sure := 0
	for _, f := range formats {
		if n := f.Sniff(head, name); n > sure {
			best, sure = f, n
		}
	}
	if best == nil {
		return nil, errors.New("no format is known that it is written in")
	}
	for g, err := range best.Read(&record.Source{Name: name, Reader: in, Size: size}) {
		if err != nil {
			return nil, err
		}
		return record.NewReferee(games).Play(g), nil
	}
	return nil, errors.New("there is no record in it")
}

// readFile returns the first record of a file on disk.
func readFile(formats []record.Format, games game.Catalog, path string) (*record.Played, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	return readRecord(formats, games, path, info.Size(), f)
}
