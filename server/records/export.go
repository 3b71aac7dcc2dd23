package records

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"qipu/query"
	"qipu/record"
	"qipu/server/api"
	"qipu/store"
	"qipu/view"
	"qipu/view/answerview"
)

func (s *room) raw(ctx context.Context, in *api.IDInput, w http.ResponseWriter, _ *http.Request) error {
	g, meta, err := s.Lib.Record(ctx, in.ID)
	if err != nil {
		return err
	}
	if len(g.Raw) == 0 {
		return api.NotFound("Ask for the record in a format instead.", "the bytes of record %d were not kept, or cannot be cut out of their file", in.ID)
	}
	attach(w, fileName(meta, s.extensionOf(g.Format)), "")
	_, err = w.Write(g.Raw)
	return err
}

type fileInput struct {
	api.IDInput
	Format string `query:"format" maxLength:"40" doc:"The format; that of the record if empty, or another where that cannot be written"`
}

func (s *room) recordFile(ctx context.Context, in *fileInput, w http.ResponseWriter, _ *http.Request) error {
	g, meta, err := s.Lib.Record(ctx, in.ID)
	if err != nil {
		return err
	}
	var only record.Format
	if in.Format != "" {
		if only, err = s.formatOf(in.Format); err != nil {
			return err
		}
	}
	if own := s.formatNamed(g.Format); own != nil && (only == nil || only == own) && record.ReadsBack(own, meta.Source.File, g) {
		attach(w, fileName(meta, s.extensionOf(g.Format)), "")
		_, err = w.Write(g.Raw)
		return err
	}
	p := s.played(g)
	candidates := record.Writers(s.Lib.Records().Formats(), g)
	if only != nil {
		candidates = []record.Format{only}
	}
	err = fmt.Errorf("no format that can be written holds games of %s", g.Kind)
	for _, f := range candidates {
		var fit *record.Game
		if fit, err = record.Fit(f, p, ""); err == nil {
			err = record.CheckWrite(f, fit)
		}
		if err == nil {
			return writeFile(w, f, fit, meta)
		}
	}
	return api.Bad("inexpressible", "Choose another format.", "record %d: %v", in.ID, err)
}

// writeFile writes one record; the files of a format that needs several come as
// an archive.
func writeFile(w http.ResponseWriter, f record.Format, g *record.Game, meta *store.Game) error {
	one := func(yield func(*record.Game) bool) { yield(g) }
	if set, ok := f.(record.SetWriter); ok {
		return writeSet(w, set, fileName(meta, ""), one, func() error { return nil })
	}
	attach(w, fileName(meta, f.Info().Extensions[0]), "")
	return f.(record.Writer).Write(w, one)
}

// played plays a record whose faults are known.
func (s *room) played(g *record.Game) *record.Played {
	referee := s.Rows.Referee()
	defer s.Rows.GiveBack(referee)
	faults := len(g.Faults)
	p := referee.Play(g)
	g.Faults = g.Faults[:faults]
	return p
}

func (s *room) formatNamed(name string) record.Format {
	for _, f := range s.Lib.Records().Formats() {
		if f.Info().Name == name {
			return f
		}
	}
	return nil
}

// formatOf returns a format that can be written, and refuses others.
func (s *room) formatOf(name string) (record.Format, error) {
	f := s.formatNamed(strings.ToLower(name))
	if _, ok := f.(record.Writer); ok {
		return f, nil
	}
	var names []string
	for _, f := range s.Lib.Records().Formats() {
		if _, ok := f.(record.Writer); ok {
			names = append(names, f.Info().Name)
		}
	}
	slices.Sort(names)
	hint := "The formats to write are " + strings.Join(names, ", ") + "."
	if f != nil {
		return nil, api.Bad("no-format", hint, "%s can be read but not written", f.Info().Title)
	}
	return nil, api.Bad("no-format", hint, "no format is called %q", name)
}

// extensionOf returns the extension of the files of a format.
func (s *room) extensionOf(format string) string {
	if f := s.formatNamed(format); f != nil {
		return f.Info().Extensions[0]
	}
	return "txt"
}

// fileName returns a name for the file of a record: who played, when, and its
// number, so that no two are the same.
func fileName(g *store.Game, ext string) string {
	var words []string
	if a, b := g.Facts.Players[0].Name, g.Facts.Players[1].Name; a != "" || b != "" {
		words = append(words, plainName(a), "vs", plainName(b))
	} else {
		kind, _, _ := strings.Cut(g.Kind, " ")
		words = append(words, kind)
	}
	if date := g.Facts.Date.String(); date != "" {
		words = append(words, plainName(date))
	}
	name := strings.Join(append(words, strconv.Itoa(int(g.ID))), " ")
	if ext != "" {
		name += "." + ext
	}
	return name
}

// plainName makes a part of a file name of a text.
func plainName(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`<>:"/\|?*%`, r) {
			return '-'
		}
		return r
	}, text)
	const most = 40 // letters; file systems take 255 bytes
	if list := []rune(text); len(list) > most {
		text = string(list[:most])
	}
	if text = strings.Trim(text, "-. "); text == "" {
		return "unknown"
	}
	return text
}

// attach has an answer be saved as a file of a name, in any script.
func attach(w http.ResponseWriter, name, contentType string) {
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	ascii := strings.Map(func(r rune) rune {
		if r > '~' {
			return '_'
		}
		return r
	}, name)
	value := mime.FormatMediaType("attachment", map[string]string{"filename": ascii})
	if ascii != name {
		value += "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	}
	w.Header().Set("Content-Disposition", value)
	w.Header().Set("Content-Type", contentType)
}

type exportInput struct {
	api.Asking
	IDs     []uint32 `query:"ids" maxItems:"10000" doc:"The records by their numbers, instead of a query"`
	Format  string   `query:"format" required:"true" maxLength:"40" doc:"A format of records, or csv, or json for the headers" example:"sgf"`
	Sort    string   `query:"sort" enum:"store,occurrences,date,rating,likeness," doc:"The order of the records of a query; else that of the library"`
	Reverse bool     `query:"reverse" doc:"The other way round"`
	Limit   int      `query:"limit" minimum:"0" maximum:"10000000" doc:"The first of them alone; 0 for all"`
	Skip    bool     `query:"skip" doc:"Leave out records that the format cannot hold; how many is told by the trailer Qipu-Left-Out. Otherwise nothing is sent then."`
}

// leftOut is the trailer that tells how many records were left out.
const leftOut = "Qipu-Left-Out"

func (s *room) export(ctx context.Context, in *exportInput, w http.ResponseWriter, _ *http.Request) error {
	ids, err := s.exported(ctx, in)
	if err != nil {
		return err
	}
	// A place is held until the client has taken everything: it must not be one
	// that searches wait for.
	leave, err := s.files.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	switch in.Format {
	case "csv":
		attach(w, "records.csv", "text/csv; charset=utf-8")
		return s.exportTable(ctx, ids, w)
	case "json":
		attach(w, "records.json", "application/json")
		return s.exportHeaders(ctx, ids, w)
	}
	f, err := s.formatOf(in.Format)
	if err != nil {
		return err
	}
	e := &exporting{room: s, ctx: ctx, ids: ids, format: f, skip: in.Skip}
	if err := e.check(); err != nil {
		return err
	}
	return e.write(w)
}

// exported returns the numbers of the records to write.
func (s *room) exported(ctx context.Context, in *exportInput) ([]uint32, error) {
	sel := &view.Selection{IDs: in.IDs, Query: in.Query, Game: in.Game, Variations: in.Variations}
	if len(in.IDs) == 0 && in.Query == "" {
		sel.Query = query.Const(true).String()
	}
	ids, err := s.ordered(ctx, in, sel)
	if err == nil && len(ids) == 0 {
		err = api.NotFound("Ask for others.", "no record is found: there is nothing to write")
	}
	return ids, err
}

// ordered returns the numbers of the records of a selection, in the order that is
// asked for.
func (s *room) ordered(ctx context.Context, in *exportInput, sel *view.Selection) ([]uint32, error) {
	if in.Sort == "" && !in.Reverse && in.Limit == 0 {
		return s.selected(ctx, sel)
	}
	if sel.Query == "" {
		return nil, api.Bad("selection", "Give the numbers in the order that is wanted.", "sort, reverse and limit are for the records of a query")
	}
	q, err := s.Question(ctx, &api.Asking{Query: sel.Query, Game: sel.Game, Variations: sel.Variations}, &api.Listing{Sort: in.Sort, Reverse: in.Reverse, Limit: cmp.Or(in.Limit, -1)})
	if err != nil {
		return nil, err
	}
	q.NoContinuations = true
	r, err := s.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	ids := make([]uint32, len(r.Rows))
	for i := range r.Rows {
		ids[i] = r.Rows[i].Game
	}
	return ids, nil
}

// exportTable writes a table of what is known of records.
func (s *room) exportTable(ctx context.Context, ids []uint32, to io.Writer) error {
	sheet, err := s.Lib.Search().Sheet(ctx)
	if err != nil {
		return err
	}
	w := csv.NewWriter(to)
	if err := w.Write(sheet.Columns()); err != nil {
		return err
	}
	err = s.eachGame(ctx, ids, func(g *store.Game) error {
		g.Source.File = s.ShownFile(g.Source.File)
		return w.Write(sheet.Cells(g))
	})
	w.Flush()
	return errors.Join(err, w.Error())
}

// exportHeaders writes a list of what lists show of records.
func (s *room) exportHeaders(ctx context.Context, ids []uint32, to io.Writer) error {
	w := bufio.NewWriter(to)
	before := "[\n"
	err := s.eachGame(ctx, ids, func(g *store.Game) error {
		text, err := json.Marshal(answerview.SummaryOf(s.Lib.Records().Kinds(), g))
		if err != nil {
			return err
		}
		w.WriteString(before)
		before = ",\n"
		_, err = w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	w.WriteString("\n]\n")
	return w.Flush()
}

// eachGame gives a function what the catalogue knows of games, some hundred of
// which are in memory at a time.
func (s *room) eachGame(ctx context.Context, ids []uint32, do func(*store.Game) error) error {
	const together = 256
	for chunk := range slices.Chunk(ids, together) {
		games, err := s.Lib.Records().Games(ctx, chunk)
		if err != nil {
			return err
		}
		for i := range games {
			if err := do(&games[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// exporting is records on their way into a file.
type exporting struct {
	*room
	ctx    context.Context
	ids    []uint32
	format record.Format
	skip   bool  // leave out what the format cannot hold
	sure   bool  // it was checked that there is no such thing
	left   int   // records that were left out
	failed error // why there are no more
}

// games yields the records as the format can write them.
func (e *exporting) games() iter.Seq2[*store.Game, *record.Game] {
	return func(yield func(*store.Game, *record.Game) bool) {
		for g, err := range e.Lib.Records().Walk(e.ctx, e.ids) {
			var fit *record.Game
			if err == nil {
				fit, err = record.Fit(e.format, e.played(g.Record), "")
			}
			if err == nil && !e.sure {
				err = record.CheckWrite(e.format, fit)
			}
			switch {
			case err == nil:
				if !yield(g.Game, fit) {
					return
				}
			case g.Game == nil:
				e.failed = err
				return
			case e.skip:
				e.left++
			default:
				e.failed = api.Bad("inexpressible", "Choose another format, narrow the query, or add skip=true to leave such records out.", "record %d: %v", g.ID, err)
				return
			}
		}
	}
}

// check finds out whether the records can be written before any of them is: all
// of them, or where some may be left out at least one.
func (e *exporting) check() error {
	n := 0
	for range e.games() {
		n++
		if e.skip {
			break
		}
	}
	if e.failed != nil {
		return e.failed
	}
	if n == 0 {
		return api.Bad("inexpressible", "Choose another format.", "%s can hold none of these records", e.format.Info().Title)
	}
	e.sure, e.left = !e.skip, 0
	return nil
}

// write writes the records: into one file, or as an archive where the format
// needs several.
func (e *exporting) write(w http.ResponseWriter) error {
	w.Header().Set("Trailer", leftOut)
	defer func() { w.Header().Set(leftOut, strconv.Itoa(e.left)) }()
	all := func(yield func(*record.Game) bool) {
		for _, g := range e.games() {
			if !yield(g) {
				return
			}
		}
	}
	info := e.format.Info()
	var err error
	switch set, several := e.format.(record.SetWriter); {
	case several:
		err = writeSet(w, set, "records", all, func() error { return e.failed })
	case info.Single && len(e.ids) > 1:
		err = e.archive(w)
	default:
		attach(w, "records."+info.Extensions[0], "")
		err = e.format.(record.Writer).Write(w, all)
	}
	if err == nil {
		err = e.failed
	}
	return err
}

// archive writes a file a record.
func (e *exporting) archive(w http.ResponseWriter) error {
	attach(w, "records.zip", "application/zip")
	z := zip.NewWriter(w)
	for meta, g := range e.games() {
		err := record.WriteOne(e.format, g, func(ext string) (io.Writer, error) { return z.Create(fileName(meta, ext)) })
		if err != nil {
			return err
		}
	}
	if e.failed != nil {
		return e.failed
	}
	return z.Close()
}

// writeSet writes the files of a set as an archive. They are written side by
// side, and an archive takes one after the other: so they lie on the disk
// meanwhile. The function failed tells whether all records came.
func writeSet(w http.ResponseWriter, set record.SetWriter, name string, games iter.Seq[*record.Game], failed func() error) (err error) {
	dir, err := os.MkdirTemp("", "qipu-export-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var files []*os.File
	defer func() {
		for _, f := range files {
			f.Close()
		}
	}()
	err = set.WriteSet(func(ext string) (io.Writer, error) {
		f, err := os.Create(filepath.Join(dir, name+"."+ext))
		if err == nil {
			files = append(files, f)
		}
		return f, err
	}, games)
	if err == nil {
		err = failed()
	}
	if err != nil {
		return err
	}
	attach(w, name+".zip", "application/zip")
	z := zip.NewWriter(w)
	for _, f := range files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		to, err := z.Create(filepath.Base(f.Name()))
		if err == nil {
			_, err = io.Copy(to, f)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}
