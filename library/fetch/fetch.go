// Package fetch brings records from public sites into a library: the games of a user of
// lichess.org or online-go.com, or a public collection by its address.
//
// What comes is written into a folder of the library first, piece by piece with a note of
// how far it has come, so that a run that was killed goes on where it was. When all is
// there, it is imported as one entry of the journal, and the folder is emptied; the note
// stays, and the next run asks for what is new since.
//
// It is polite: one request at a time with a pause behind each, a name that tells who asks,
// and waiting as long as a server says. It is bounded in bytes, requests and time, and
// talks to public addresses alone, whatever a name or a redirect leads to.
package fetch

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"qipu/internal/filelock"
	"qipu/library"
	"qipu/segment"
)

// Source is where records come from.
type Source struct {
	Site string // "lichess", "ogs", or "" for an address
	User string
	URL  string
}

// String returns the source as people write it.
func (s Source) String() string {
	if s.Site == "" {
		return s.URL
	}
	return s.Site + ":" + s.User
}

// SourceError tells why a text is no source.
type SourceError struct{ Why string }

func (e *SourceError) Error() string { return "fetch: " + e.Why }

var userName = regexp.MustCompile(`^[\pL\pN][\pL\pN _.-]{0,59}$`)

// Parse reads a source: lichess:USER, ogs:USER, or the address of a file.
func Parse(text string) (Source, error) {
	bad := func(format string, args ...any) (Source, error) {
		return Source{}, &SourceError{fmt.Sprintf(format, args...)}
	}
	site, user, _ := strings.Cut(strings.TrimSpace(text), ":")
	switch site {
	case "lichess", "ogs":
		if !userName.MatchString(user) {
			return bad("%.80q is no name of a user", user)
		}
		return Source{Site: site, User: user}, nil
	case "https":
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil || u.Host == "" || len(text) > 2000 {
			return bad("%.80q is no address", text)
		}
		if u.User != nil {
			return bad("an address with a password is not asked")
		}
		u.Fragment = ""
		return Source{URL: u.String()}, nil
	case "http":
		return bad("an address begins with https://")
	}
	return bad("%.80q is no source: write lichess:USER, ogs:USER or https://...", text)
}

// Options say how to fetch. The zero value is right for everybody but tests.
type Options struct {
	Collection string // the records come into it; made where there is none

	// OnProgress is told after each piece.
	OnProgress func(Progress)

	Client *Client // default: NewClient
}

// Progress tells how far a fetch has come.
type Progress struct {
	Pieces int   // files or pages that have come, in all runs
	Bytes  int64 // of them
	Total  int   // pieces in all; 0 where that is not known
}

// state is the note of how far a fetch has come, beside its pieces.
type state struct {
	Source string   `json:"source"`
	Key    string   `json:"key"`    // of the import
	Pieces []string `json:"pieces"` // files that are whole
	Bytes  int64    `json:"bytes"`
	Whole  bool     `json:"whole"` // nothing is missing: what is left is the import
	Since  int64    `json:"since"` // lichess: milliseconds; what was played before is there
	Seen   []int64  `json:"seen"`  // ogs: numbers of games that are there, or were
	ETag   string   `json:"etag"`  // an address: of the file that is being read
}

// Fetch brings a source into a folder of a library, where nobody else does at that time.
type Fetch struct {
	*Client
	source Source
	dir    string
	lock   *os.File
	state  state
	told   func(Progress)
	total  int
}

// What callers branch on.
var (
	ErrNothing  = errors.New("fetch: there is nothing new")
	ErrNotFound = errors.New("there is no such user, game or file")
)

// Run fetches a source into a library, or goes on with that.
func Run(ctx context.Context, l *library.Library, s Source, o Options) (*library.ImportReport, error) {
	f, err := Begin(l.Dir(), s, o.Client)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	paths, err := f.Load(ctx, o.OnProgress)
	if err != nil {
		return nil, err
	}
	// One key for all runs: an import that was killed is one entry with what goes on.
	report, err := l.Import(ctx, library.ImportOptions{
		Collection: o.Collection, Transient: true, From: []string{s.String()},
		Journal: &library.Journal{Key: "fetch-" + f.state.Key, Save: func(*library.Checkpoint) error { return nil }},
	}, paths...)
	if err != nil {
		return report, err
	}
	return report, f.Done()
}

// Begin begins to fetch a source, or goes on, for the library in a folder. The client is
// NewClient where it is nil.
func Begin(dir string, s Source, c *Client) (_ *Fetch, err error) {
	sum := sha256.Sum256([]byte(strings.ToLower(s.String())))
	f := &Fetch{Client: NewClient(), source: s, dir: filepath.Join(dir, "fetch", hex.EncodeToString(sum[:8]))}
	if c != nil {
		own := *c // which counts requests
		f.Client = &own
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	if f.lock, err = os.OpenFile(filepath.Join(f.dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	if err = filelock.Lock(f.lock); err != nil {
		err = fmt.Errorf("fetch: %s is being fetched already: %w", s, err)
	} else {
		err = f.read()
	}
	if err != nil {
		return nil, errors.Join(err, f.lock.Close())
	}
	return f, nil
}

// Close lets others fetch the source. What has come stays.
func (f *Fetch) Close() error { return f.lock.Close() }

// Load brings what is not there yet, and returns the files of all that has come; ErrNothing
// where nothing has.
func (f *Fetch) Load(ctx context.Context, told func(Progress)) (paths []string, err error) {
	if f.told = told; told == nil {
		f.told = func(Progress) {}
	}
	if !f.state.Whole {
		if err := f.load(ctx); err != nil {
			return nil, err
		}
		f.state.Whole = true
		if err := f.save(); err != nil {
			return nil, err
		}
	}
	if len(f.state.Pieces) == 0 {
		return nil, errors.Join(ErrNothing, f.Done())
	}
	for _, name := range f.state.Pieces {
		paths = append(paths, filepath.Join(f.dir, name))
	}
	return paths, nil
}

func (f *Fetch) load(ctx context.Context) error {
	switch f.source.Site {
	case "lichess":
		return f.lichess(ctx)
	case "ogs":
		return f.ogs(ctx)
	}
	return f.address(ctx)
}

const stateFile = "state.json"

// read reads the note. A piece that stands in none is written again.
func (f *Fetch) read() error {
	data, err := os.ReadFile(filepath.Join(f.dir, stateFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("fetch: %w", err)
	case json.Unmarshal(data, &f.state) != nil:
		f.state = state{} // it begins anew
	}
	if f.state.Key == "" {
		f.state.Key = rand.Text()
	}
	f.state.Source = f.source.String()
	return nil
}

func (f *Fetch) save() error {
	data, err := json.Marshal(&f.state)
	if err == nil {
		err = segment.Replace(filepath.Join(f.dir, stateFile), 0o600, data)
	}
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	return nil
}

// keep writes a piece, and then notes it.
func (f *Fetch) keep(name string, data []byte) error {
	if f.state.Bytes += int64(len(data)); f.state.Bytes > maxTotal {
		return fmt.Errorf("fetch: %s has more than %d MiB", f.source, maxTotal>>20)
	}
	if err := segment.Replace(filepath.Join(f.dir, name), 0o600, data); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	if !slices.Contains(f.state.Pieces, name) {
		f.state.Pieces = append(f.state.Pieces, name)
	}
	if err := f.save(); err != nil {
		return err
	}
	f.told(Progress{Pieces: len(f.state.Pieces), Bytes: f.state.Bytes, Total: f.total})
	return nil
}

// Done forgets the pieces, which are in the library now, and keeps what is there.
func (f *Fetch) Done() error {
	pieces := f.state.Pieces
	f.state.Pieces, f.state.Bytes, f.state.Whole, f.state.Key, f.state.ETag = nil, 0, false, rand.Text(), ""
	if err := f.save(); err != nil {
		return err
	}
	for _, name := range pieces {
		if err := os.Remove(filepath.Join(f.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("fetch: %w", err)
		}
	}
	return nil
}

// lichessPage is how many games are asked for at once: as many as a server streams in a
// minute.
var lichessPage = 200

var lichessDate = regexp.MustCompile(`(?m)^\[UTC(Date|Time) "([0-9.:]+)"\]`)

// lichess reads the games of a user, the oldest first, a page after the other. A page begins at the
// second of the last game of the one before, which comes again and is a duplicate.
func (f *Fetch) lichess(ctx context.Context) error {
	for {
		q := url.Values{"sort": {"dateAsc"}, "max": {fmt.Sprint(lichessPage)}, "clocks": {"false"}, "evals": {"false"}, "opening": {"true"}}
		if f.state.Since > 0 {
			q.Set("since", fmt.Sprint(f.state.Since))
		}
		data, err := f.get(ctx, f.Lichess+"/api/games/user/"+url.PathEscape(f.source.User)+"?"+q.Encode(), "application/x-chess-pgn")
		if err != nil {
			return err
		}
		games := strings.Count("\n"+string(data), "\n[Event ")
		last, ok := lastDate(data)
		if games == 0 || !ok || last < f.state.Since || last == f.state.Since && games == 1 {
			return nil
		}
		again := last == f.state.Since // a page of games of one second: nothing is behind it
		f.state.Since = last
		if err := f.keep(fmt.Sprintf("lichess-%s-%05d.pgn", fileName(f.source.User), len(f.state.Pieces)+1), data); err != nil {
			return err
		}
		if games < lichessPage || again {
			return nil
		}
	}
}

// lastDate returns when the last game of some was played, in milliseconds.
func lastDate(pgn []byte) (int64, bool) {
	date, clock := "", ""
	for _, m := range lichessDate.FindAllSubmatch(pgn, -1) {
		if string(m[1]) == "Date" {
			date = string(m[2])
		} else {
			clock = string(m[2])
		}
	}
	t, err := time.Parse("2006.01.02 15:04:05", date+" "+clock)
	return t.UnixMilli(), err == nil
}

// fileName returns a name that every file system takes.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
}

// ogs reads the games of a user, the latest first, until a page has none that is new.
func (f *Fetch) ogs(ctx context.Context) error {
	var found struct {
		Results []struct {
			ID       int64  `json:"id"`
			Username string `json:"username"`
		} `json:"results"`
	}
	if err := f.getJSON(ctx, f.OGS+"/api/v1/players?"+url.Values{"username": {f.source.User}}.Encode(), &found); err != nil {
		return err
	}
	if len(found.Results) == 0 || found.Results[0].ID <= 0 {
		return fmt.Errorf("fetch: %w: online-go.com knows no user %q", ErrNotFound, f.source.User)
	}
	seen := map[int64]bool{}
	for _, id := range f.state.Seen {
		seen[id] = true
	}
	for page := 1; ; page++ {
		var list struct {
			Count   int    `json:"count"`
			Next    string `json:"next"`
			Results []struct {
				ID int64 `json:"id"`
			} `json:"results"`
		}
		address := fmt.Sprintf("%s/api/v1/players/%d/games?ended__isnull=false&ordering=-ended&page_size=50&page=%d", f.OGS, found.Results[0].ID, page)
		if err := f.getJSON(ctx, address, &list); err != nil {
			return err
		}
		f.total = list.Count
		fresh := false
		for _, g := range list.Results {
			if g.ID <= 0 || seen[g.ID] {
				continue
			}
			fresh = true
			data, err := f.get(ctx, fmt.Sprintf("%s/api/v1/games/%d/sgf", f.OGS, g.ID), "application/x-go-sgf")
			if errors.Is(err, ErrNotFound) || errors.Is(err, errForbidden) {
				data, err = nil, nil // a private game: it is not asked for again
			}
			if err != nil {
				return err
			}
			seen[g.ID] = true
			f.state.Seen = append(f.state.Seen, g.ID)
			if len(data) == 0 {
				continue
			}
			if err := f.keep(fmt.Sprintf("ogs-%d.sgf", g.ID), data); err != nil {
				return err
			}
		}
		// A run that was killed has seen the latest and not the oldest: pages without new games are
		// the end only where everything was whole before.
		if list.Next == "" || len(list.Results) == 0 || !fresh && len(f.state.Pieces) == 0 {
			return nil
		}
	}
}
