package guests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"qipu/engine"
	"qipu/game"
)

// File is qipu.toml with the engines in it. It is read again when it has changed, so
// that a server knows at once what its owner has added. It is safe for concurrent use.
type File struct {
	// Taught makes an engine of the file of what was taught, by its name; nil where
	// nothing does. It is set before the file is used.
	Taught func(name, path string, r game.Rules) (engine.Engine, error)

	path  string
	games game.Catalog

	mu   sync.Mutex
	seen stamp
	list []Guest
	err  error
}

// stamp tells whether a file has changed.
type stamp struct {
	size    int64
	changed int64
}

// Locate returns where the file lies: where a flag says, else QIPU_CONFIG, else in the
// folder of the user's settings.
func Locate(flag string, env func(string) (string, bool)) (string, error) {
	if flag != "" {
		return flag, nil
	}
	if path, ok := env("QIPU_CONFIG"); ok && path != "" {
		return path, nil
	}
	if dir, ok := env("XDG_CONFIG_HOME"); ok && dir != "" {
		return filepath.Join(dir, "qipu", "qipu.toml"), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no place for settings: %w: name a file with --config", err)
	}
	return filepath.Join(dir, "qipu", "qipu.toml"), nil
}

// Open returns the file of a path, which need not be there yet. Games are those that
// engines may play.
func Open(path string, games game.Catalog) *File { return &File{path: path, games: games} }

// Path returns where the file lies.
func (f *File) Path() string { return f.path }

// All returns the engines in the order of the file. A nil file has none.
func (f *File) All() ([]Guest, error) {
	if f == nil {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.seen, f.list, f.err = stamp{}, nil, nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if now := (stamp{info.Size(), info.ModTime().UnixNano()}); now != f.seen || f.err != nil {
		if info.Mode().Perm()&0o002 != 0 {
			return nil, fmt.Errorf("%s: everybody may write it, and with it choose what this program runs: chmod o-w it", f.path)
		}
		text, err := os.ReadFile(f.path)
		if err != nil {
			return nil, err
		}
		f.seen = now
		f.list, f.err = parse(f.path, text, f.games)
	}
	return slices.Clone(f.list), f.err
}

// parse reads the text of a file.
func parse(path string, text []byte, games game.Catalog) ([]Guest, error) {
	var content struct {
		Engine []Guest `toml:"engine"`
	}
	known, err := toml.NewDecoder(bytes.NewReader(text)).Decode(&content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if odd := known.Undecoded(); len(odd) > 0 {
		return nil, fmt.Errorf("%s: %s is not known here", path, odd[0])
	}
	for i := range content.Engine {
		g := &content.Engine[i]
		if err := g.Check(games); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if slices.ContainsFunc(content.Engine[:i], func(o Guest) bool { return strings.EqualFold(o.Name, g.Name) }) {
			return nil, fmt.Errorf("%s: two engines are called %q", path, g.Name)
		}
	}
	return content.Engine, nil
}

// Find returns the engine of a name, in any case.
func (f *File) Find(name string) (*Guest, error) {
	list, err := f.All()
	if err != nil {
		return nil, err
	}
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return &list[i], nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknown, name)
}

// For returns the engines that play by some rules.
func (f *File) For(r game.Rules) ([]Guest, error) {
	list, err := f.All()
	return slices.DeleteFunc(list, func(g Guest) bool { return !g.Plays(f.games, r) }), err
}

// Start starts the engine of a name for a game.
func (f *File) Start(ctx context.Context, name string, r game.Rules) (engine.Engine, error) {
	g, err := f.Find(name)
	if err != nil {
		return nil, err
	}
	if !g.Plays(f.games, r) {
		return nil, fmt.Errorf("%w: %s plays %s, and not %s", engine.ErrGame, g.Name, strings.Join(g.Games, ", "), strings.TrimSpace(r.Info().Titles.En+" "+r.Info().Variant))
	}
	return f.start(ctx, g, r)
}

// start starts a program, or makes an engine of what was taught.
func (f *File) start(ctx context.Context, g *Guest, r game.Rules) (engine.Engine, error) {
	switch {
	case g.Protocol != Taught:
		return g.Start(ctx, r)
	case f.Taught == nil:
		return nil, fmt.Errorf("%s was taught, and nothing here can play it", g.Name)
	}
	return f.Taught(g.Name, g.Command[0], r)
}

// Add writes an engine to the end of the file. What stands in it stays as it is.
func (f *File) Add(g Guest) error {
	if err := g.Check(f.games); err != nil {
		return err
	}
	text, err := os.ReadFile(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var block strings.Builder
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		block.WriteByte('\n')
	}
	if len(text) > 0 {
		block.WriteByte('\n')
	}
	encoder := toml.NewEncoder(&block)
	encoder.Indent = ""
	block.WriteString("[[engine]]\n")
	if err := encoder.Encode(g); err != nil {
		return err
	}
	return f.write(append(text, strings.ReplaceAll(block.String(), "\n[limits]", "\n[engine.limits]")...))
}

// heading is a line that begins a table of the file.
var heading = regexp.MustCompile(`(?m)^[ \t]*\[.*$`)

// Remove takes an engine out of the file, and nothing else.
func (f *File) Remove(name string) error {
	text, from, to, err := f.lines(name)
	if err != nil {
		return err
	}
	return f.write(append(text[:from:from], text[to:]...))
}

// told is a line that says whether an engine tells values.
var told = regexp.MustCompile(`(?m)^[ \t]*values[ \t]*=.*\n?`)

// Note writes down whether an engine tells values, which a test has found. All other
// lines stay as they are.
func (f *File) Note(name string, values bool) error {
	g, err := f.Find(name)
	if err != nil || g.Values != nil && *g.Values == values {
		return err
	}
	text, from, to, err := f.lines(name)
	if err != nil {
		return err
	}
	block := told.ReplaceAll(text[from:to:to], nil)
	head, rest, _ := bytes.Cut(block, []byte("\n"))
	out := append(text[:from:from], head...)
	out = fmt.Appendf(out, "\nvalues = %v\n", values)
	return f.write(append(append(out, rest...), text[to:]...))
}

// lines returns the text of the file, and where the lines of an engine begin and end in
// it.
func (f *File) lines(name string) (text []byte, begin, end int, err error) {
	if _, err := f.Find(name); err != nil {
		return nil, 0, 0, err
	}
	if text, err = os.ReadFile(f.path); err != nil {
		return nil, 0, 0, err
	}
	from := -1
	for _, at := range append(heading.FindAllIndex(text, -1), []int{len(text), len(text)}) {
		title := strings.TrimSpace(string(text[at[0]:at[1]]))
		if strings.HasPrefix(title, "[engine.") {
			continue // part of the engine above
		}
		if from >= 0 {
			one, err := parse(f.path, text[from:at[0]], f.games)
			if err == nil && len(one) == 1 && strings.EqualFold(one[0].Name, name) {
				return text, from, at[0], nil
			}
		}
		if from = -1; strings.HasPrefix(title, "[[engine]]") {
			from = at[0]
		}
	}
	return nil, 0, 0, fmt.Errorf("%s: the lines of %q could not be told from the others: change them by hand", f.path, name)
}

// write replaces the file as a whole, where what it would say makes sense.
func (f *File) write(text []byte) error {
	if _, err := parse(f.path, text, f.games); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.path), ".qipu-*.toml") // which the owner alone may read
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // of no effect once it is renamed
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), f.path)
	}
	f.mu.Lock()
	f.seen = stamp{}
	f.mu.Unlock()
	return err
}
