package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/catalog"
	"qipu/record"
)

type exportOptions struct {
	collection, output string
	all, force, dryRun bool
}

func (a *app) exportCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export [ID...]",
		Short: "Write games of the library as files, byte for byte as they came",
		Long: `Write games into a folder, one file each, named by the number of the game and the
file that it came from. A file holds the bytes of the game as its writer left
them. Where these are no file by themselves (a record of WTHOR, a part of an XML
document), or were not kept, the game is written by its format, or in another one
that can hold it, and that is said.

A file that is there already is not overwritten without --force. Exit code 3 if
any game could not be written.`,
		Example: `  qipu export 1 2 --output copies
  qipu export --collection masters --output copies --force
  qipu export --all --output everything --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := a.choose(args, o.collection, o.all, "--collection or --all")
			if err != nil {
				return err
			}
			return a.export(cmd.Context(), chosen, &o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.collection, "collection", "", "export all games of this collection")
	f.BoolVar(&o.all, "all", false, "export all games")
	f.StringVar(&o.output, "output", ".", "folder to write to, made where there is none")
	f.BoolVar(&o.force, "force", false, "overwrite files that are there")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would be written, and write nothing")
	return cmd
}

func (a *app) export(ctx context.Context, chosen *choice, o *exportOptions) error {
	return a.reading(ctx, func(l *qipu.Library) error {
		ids, err := chosen.games(ctx, l)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			fmt.Fprintln(a.err, "there are no games to write")
			return silent(exitNothing)
		}
		if !o.dryRun {
			if err := os.MkdirAll(o.output, 0o777); err != nil {
				return err
			}
		}
		e := &exporter{app: a, options: o, converted: map[string]int{}, referee: record.NewReferee(a.games), bar: a.newProgress("games", len(ids))}
		err = e.run(ctx, l.Catalog(), ids)
		e.bar.close()
		if err != nil {
			return err
		}
		return e.totals()
	})
}

// exporter writes games as files.
type exporter struct {
	*app
	options *exportOptions
	referee *record.Referee
	bar     *progress

	written, left int
	converted     map[string]int // by format
}

// exportedJSON is a file as export --json prints it.
type exportedJSON struct {
	Type     string `json:"type"` // "file"
	ID       uint32 `json:"id"`
	File     string `json:"file"`
	Format   string `json:"format"`
	Original bool   `json:"original"` // the bytes are those of the source
}

// exportChunk is how many games are looked up together.
const exportChunk = 256

func (e *exporter) run(ctx context.Context, db *catalog.DB, ids []uint32) error {
	if e.csv {
		if err := e.printRow("id", "file", "format", "original"); err != nil {
			return err
		}
	}
	for chunk := range slices.Chunk(ids, exportChunk) {
		games, err := db.Games(ctx, chunk)
		if err != nil {
			return err
		}
		i := 0
		for text, err := range db.Records(ctx, chunk) {
			switch {
			case errors.Is(err, catalog.ErrDamaged):
				err = e.leave(text.ID, fmt.Errorf("%w: run qipu doctor", err))
			case err == nil:
				err = e.game(&games[i], text)
			}
			if err != nil {
				return err
			}
			i++
			e.bar.step(1)
		}
	}
	return nil
}

// game writes one game: its own bytes where they are a file, else as its format
// or another one writes it.
func (e *exporter) game(g *catalog.Game, text catalog.Text) error {
	base := filepath.Join(e.options.output, fmt.Sprintf("%06d%s", g.ID, stem(g.Source.File)))
	stored, err := record.DecodeGame(text.Record)
	if err != nil {
		return e.leave(g.ID, fmt.Errorf("%w: run qipu doctor", err))
	}
	stored.Raw = text.Raw
	if f := e.format(g.Format); f != nil && readsBack(f, g.Source.File, stored) {
		path := base + extension(f, g.Source.File)
		if err := e.free(path); err != nil {
			return e.leave(g.ID, err)
		}
		if !e.options.dryRun {
			err := atomically(path, func(w io.Writer) error {
				_, err := w.Write(text.Raw)
				return err
			})
			if err != nil {
				return err
			}
		}
		return e.tell(exportedJSON{"file", g.ID, path, g.Format, true})
	}
	return e.convert(g.ID, e.referee.Play(stored), base)
}

// convert writes a game with the first format that can hold it, its own first.
func (e *exporter) convert(id uint32, p *record.Played, base string) error {
	why := fmt.Errorf("no format that can be written holds games of %s", orUnknown(p.Game.Kind))
	for _, f := range e.candidates(p.Game) {
		quiet := *e.app
		quiet.err = io.Discard
		c := &converter{app: &quiet, format: f, options: &convertOptions{}}
		g := c.fit(p)
		if g == nil {
			continue
		}
		if err := c.try(g); err != nil {
			why = err
			continue
		}
		path := base + "." + f.Info().Extensions[0]
		if err := e.free(path); err != nil {
			return e.leave(id, err)
		}
		if !e.options.dryRun {
			one := make(chan *record.Game, 1)
			one <- g
			close(one)
			if err := (&single{converter: c, path: path, part: true}).write(one); err != nil {
				return err
			}
		}
		e.converted[f.Info().Name]++
		return e.tell(exportedJSON{"file", id, path, f.Info().Name, false})
	}
	return e.leave(id, why)
}

// candidates returns the formats that may be able to hold a game: its own, and
// then those that keep the most.
func (e *exporter) candidates(g *record.Game) []record.Format {
	var list []record.Format
	for _, f := range e.formats {
		if _, ok := f.(record.Writer); ok && slices.Contains(f.Info().Kinds, g.Kind) {
			list = append(list, f)
		}
	}
	rank := func(f record.Format) int {
		switch {
		case f.Info().Name == g.Format:
			return 0
		case f.Info().Keeps == "":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(x, y record.Format) int { return rank(x) - rank(y) })
	return list
}

func (e *exporter) format(name string) record.Format {
	for _, f := range e.formats {
		if f.Info().Name == name {
			return f
		}
	}
	return nil
}

// free reports a file that is there and must stay.
func (e *exporter) free(path string) error {
	if _, err := os.Lstat(path); err == nil && !e.options.force {
		return fmt.Errorf("%s is there already: --force overwrites it", path)
	}
	return nil
}

func (e *exporter) leave(id uint32, err error) error {
	e.left++
	fmt.Fprintf(e.err, "game %d: left out: %v\n", id, err)
	return nil
}

func (e *exporter) tell(file exportedJSON) error {
	e.written++
	switch {
	case e.json:
		return e.printJSON(file)
	case e.csv:
		return e.printRow(fmt.Sprint(file.ID), file.File, file.Format, fmt.Sprint(file.Original))
	case e.options.dryRun:
		_, err := fmt.Fprintln(e.out, file.File)
		return err
	}
	return nil
}

func (e *exporter) totals() error {
	anew := 0
	for _, name := range slices.Sorted(maps.Keys(e.converted)) {
		n := e.converted[name]
		anew += n
		fmt.Fprintf(e.err, "note: %s written anew as %s: the original bytes are no files by themselves\n", plural(n, "game"), name)
	}
	if !e.csv {
		verb := "written to"
		if e.options.dryRun {
			verb = "would be written to"
		}
		err := e.say(figures{{"type", "total"}, {"games", e.written}, {"converted", anew}, {"left_out", e.left}, {"dry_run", e.options.dryRun}},
			"%s %s %s, %d of them converted, %d left out", plural(e.written, "game"), verb, e.options.output, anew, e.left)
		if err != nil {
			return err
		}
	}
	if e.left > 0 {
		return silent(exitData)
	}
	return nil
}

// readsBack reports whether the bytes of a game are a file by themselves: read
// as one they give this game and no other.
func readsBack(f record.Format, name string, g *record.Game) bool {
	if len(g.Raw) == 0 {
		return false
	}
	src := &record.Source{Name: name, Reader: bytes.NewReader(g.Raw), At: bytes.NewReader(g.Raw), Size: int64(len(g.Raw)), Encoding: g.Encoding}
	n := 0
	for back, err := range f.Read(src) {
		if n++; err != nil || n > 1 || back.Kind != g.Kind || back.Start != g.Start || !slices.EqualFunc(back.Nodes, g.Nodes, sameNode) {
			return false
		}
	}
	return n == 1
}

func sameNode(x, y record.Node) bool { return x.Parent == y.Parent && x.Move == y.Move }

// inner returns the name of a file without its folders and archives.
func inner(file string) string {
	return filepath.Base(filepath.ToSlash(file[strings.LastIndex(file, "!")+1:]))
}

// stem makes a part of a file name of the file that a game came from: "-name",
// or nothing where no letter of it would do.
func stem(file string) string {
	name := inner(file)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"/\|?* `, r) {
			return '-'
		}
		return r
	}, name)
	const most = 60 // letters; file systems take 255 bytes
	if list := []rune(name); len(list) > most {
		name = string(list[:most])
	}
	if name = strings.Trim(name, "-. "); name == "" {
		return ""
	}
	return "-" + name
}

// extension returns the extension of the file that a game came from, where its
// format has it, else the usual one.
func extension(f record.Format, file string) string {
	ext := filepath.Ext(inner(file))
	if slices.Contains(f.Info().Extensions, strings.ToLower(strings.TrimPrefix(ext, "."))) {
		return ext
	}
	return "." + f.Info().Extensions[0]
}
