package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/klauspost/compress/gzip"
)

// The fixed names among the sources.
const (
	shellFile   = "index.html"
	entryScript = "src/main.ts"
	entryStyle  = "style.css"
)

// BuildError says why the client could not be bundled, each message with file,
// line, column and the line itself where they are known.
type BuildError struct{ Messages []string }

func (e *BuildError) Error() string {
	return "web: bundling the client: " + strings.Join(e.Messages, "; ")
}

// tree is the sources at one moment: path with slashes -> content. A bundle is
// made from a tree and not from a file system, so that files that change under
// way cannot mix two states.
type tree map[string][]byte

func snapshot(sources fs.FS) (tree, error) {
	styles, err := fs.Glob(sources, "style*")
	if err != nil {
		return nil, err
	}
	t := tree{}
	for _, root := range append(styles, shellFile, "src", "i18n", "static") {
		err := fs.WalkDir(sources, root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			t[name], err = fs.ReadFile(sources, name)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("web: reading the sources of the client: %w", err)
		}
	}
	return t, nil
}

func (t tree) digest() [sha256.Size]byte {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(h, "%q %d\n", name, len(t[name]))
		h.Write(t[name])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// bundle is all that an App serves, or the reason why it cannot.
type bundle struct {
	files         map[string]*file    // by path of the request
	shells        map[string]*file    // the pages, by language and pattern
	script, style string              // paths of the two entries
	needs         map[string][]string // pattern of a page -> the scripts that it waits for, beside the entry's own
	warnings      []string
	err           error
}

// scripts lists every script once.
func (b *bundle) scripts() []string {
	var list []string
	for name := range b.files {
		if path.Ext(name) == ".js" {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// size tells the bytes of scripts, as they are and as they travel.
func (b *bundle) size(scripts []string) (raw, gzipped int) {
	for _, name := range scripts {
		f := b.files[name]
		raw += len(f.body)
		gzipped += len(f.travels())
	}
	return raw, gzipped
}

// makeBundle never fails but in bundle.err. The same tree always gives the same
// bytes. With debug the script names its source map.
func makeBundle(t tree, debug bool) *bundle {
	b := &bundle{files: map[string]*file{}, shells: map[string]*file{}}
	sourceMap := api.SourceMapExternal
	if debug {
		sourceMap = api.SourceMapLinked
	}
	result := api.Build(api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: entryScript, OutputPath: "app"},
			{InputPath: entryStyle, OutputPath: "app"},
		},
		EntryNames:        "[name]-[hash]",
		ChunkNames:        "[name]-[hash]",
		AssetNames:        "[name]-[hash]",
		PublicPath:        "/",
		Outdir:            "out", // nothing is written: only the last part of the names is used
		Bundle:            true,
		Splitting:         true, // a script for each page, and what pages share in scripts of their own
		Metafile:          true,
		Format:            api.FormatESModule,
		Platform:          api.PlatformBrowser,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		TreeShaking:       api.TreeShakingTrue,
		LegalComments:     api.LegalCommentsNone,
		Sourcemap:         sourceMap,
		TsconfigRaw:       `{"compilerOptions":{"target":"ES2022","verbatimModuleSyntax":true}}`,
		LogLevel:          api.LogLevelSilent,
		Plugins:           []api.Plugin{t.plugin()},
	})
	b.warnings = messages(result.Warnings)
	if len(result.Errors) > 0 {
		b.err = &BuildError{messages(result.Errors)}
		return b
	}
	for _, out := range result.OutputFiles {
		name := "/" + filepath.Base(out.Path)
		b.files[name] = newFile(name, out.Contents, cacheForever)
	}
	if b.err = b.link(t, result.Metafile); b.err == nil {
		b.err = b.addTexts(t)
	}
	return b
}

// route finds the pages in the entry: the pattern of their address, and the
// file that is imported for it.
var route = regexp.MustCompile(`path: '([^']+)', load: \(\) => import\('\./([^']+)'\)`)

// link finds out from what esbuild tells of its outputs which are the entries,
// and which scripts each page needs. Browsers could find the latter by
// themselves, one after the other; with the list they ask for all at once.
func (b *bundle) link(t tree, metafile string) error {
	var meta struct {
		Outputs map[string]struct {
			EntryPoint string
			Imports    []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return fmt.Errorf("web: reading what esbuild tells of its outputs: %w", err)
	}
	made := map[string]string{} // source -> script
	static := map[string][]string{}
	for out, o := range meta.Outputs {
		name := "/" + filepath.Base(out)
		switch source := strings.TrimPrefix(o.EntryPoint, space+":"); {
		case path.Ext(name) == ".css":
			if b.style != "" {
				return &BuildError{[]string{"the client gives two style sheets: import style sheets in " + entryStyle + " alone"}}
			}
			b.style = name
		case source == entryScript:
			b.script = name
		case source != "":
			made[source] = name
		}
		for _, i := range o.Imports {
			if i.Kind == "import-statement" {
				static[name] = append(static[name], "/"+path.Base(i.Path))
			}
		}
	}
	// reach adds a script and what it imports at once, each before those that need it.
	var reach func(list []string, name string) []string
	reach = func(list []string, name string) []string {
		if slices.Contains(list, name) {
			return list
		}
		for _, next := range slices.Sorted(slices.Values(static[name])) {
			list = reach(list, next)
		}
		return append(list, name)
	}
	first := reach(nil, b.script)
	b.needs = map[string][]string{"": first}
	for _, m := range route.FindAllStringSubmatch(string(t[entryScript]), -1) {
		if script := made["src/"+m[2]+".ts"]; script != "" {
			b.needs[m[1]] = reach(slices.Clip(first), script)
		}
	}
	return nil
}

// addTexts adds the files that esbuild does not see: translations, static
// files, and the shell that names all others.
func (b *bundle) addTexts(t tree) error {
	texts := map[string]string{}
	for name, body := range t {
		if static, ok := strings.CutPrefix(name, "static/"); ok {
			b.files["/"+static] = newFile(name, body, cacheDay)
		}
		lang, ok := strings.CutPrefix(name, "i18n/")
		if !ok {
			continue
		}
		if lang, ok = strings.CutSuffix(lang, ".json"); !ok || !slices.Contains(Languages(), lang) {
			return &BuildError{[]string{name + ": is the text of no language that the client has"}}
		}
		var words map[string]string
		if err := json.Unmarshal(body, &words); err != nil {
			return &BuildError{[]string{name + lineOf(body, err) + ": " + err.Error()}}
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, body); err != nil {
			return &BuildError{[]string{name + ": " + err.Error()}}
		}
		url := "/i18n/" + lang + "-" + hash(compact.Bytes()) + ".json"
		b.files[url] = newFile(url, compact.Bytes(), cacheForever)
		texts[lang] = url
	}
	list, err := json.Marshal(texts)
	if err != nil {
		return err
	}
	for _, lang := range Languages() {
		for pattern, scripts := range b.needs {
			shell := renderShell(t[shellFile], lang, b.script, b.style, string(list), scripts)
			b.shells[lang+pattern] = newFile(shellFile, shell, cacheAsk)
		}
	}
	return nil
}

// lineOf turns the offset of an error of encoding/json into ":line:column".
func lineOf(body []byte, err error) string {
	var offset int64
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &typ):
		offset = typ.Offset
	default:
		return ""
	}
	before := body[:max(0, min(offset-1, int64(len(body))))] // the offset is that behind the fault
	return fmt.Sprintf(":%d:%d", 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'))
}

// space is esbuild's name for where the files of a tree lie.
const space = "client"

// plugin lets esbuild read the tree in place of a disk. An import is a relative
// path with or without its extension; packages there are none.
func (t tree) plugin() api.Plugin {
	resolve := func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		name := a.Path
		switch {
		case a.Kind == api.ResolveEntryPoint:
			name = path.Clean(name) // esbuild adds ./ where the working directory happens to hold such a file
		case a.Kind == api.ResolveCSSURLToken && !strings.HasPrefix(name, "."):
			// The style names a gradient of the page, url(#id), a data: URL or a path
			// of the server: the browser's business.
			return api.OnResolveResult{Path: name, External: true}, nil
		case !strings.HasPrefix(name, "."):
			return api.OnResolveResult{}, fmt.Errorf("%q is no relative path, and the client uses no packages", name)
		default:
			name = path.Join(path.Dir(a.Importer), name)
		}
		// As tsc does it: the name itself, the name without its extension, and a
		// script under the name that it would be compiled to.
		for _, try := range []string{name, name + ".ts", name + ".json", strings.TrimSuffix(name, ".js") + ".ts"} {
			if _, ok := t[try]; ok {
				return api.OnResolveResult{Path: try, Namespace: space}, nil
			}
		}
		return api.OnResolveResult{}, fmt.Errorf("there is no file %s", name)
	}
	loaders := map[string]api.Loader{".ts": api.LoaderTS, ".css": api.LoaderCSS, ".json": api.LoaderJSON, ".svg": api.LoaderFile, ".data": api.LoaderFile}
	load := func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		loader, ok := loaders[path.Ext(a.Path)]
		if !ok {
			return api.OnLoadResult{}, fmt.Errorf("%s is neither TypeScript nor a style sheet nor data nor a picture", a.Path)
		}
		text := string(t[a.Path])
		return api.OnLoadResult{Contents: &text, Loader: loader}, nil
	}
	return api.Plugin{Name: space, Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, resolve)
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: space}, load)
	}}
}

// messages prints what esbuild says as file:line:column: text, then the line.
func messages(list []api.Message) []string {
	var out []string
	for _, m := range list {
		s := m.Text
		if l := m.Location; l != nil {
			s = fmt.Sprintf("%s:%d:%d: %s\n\t%s", strings.TrimPrefix(l.File, space+":"), l.Line, l.Column+1, m.Text, strings.TrimSpace(l.LineText))
		}
		for _, n := range m.Notes {
			s += "\n\t" + n.Text
		}
		out = append(out, s)
	}
	return out
}

// types are the MIME types of what is served. The table of the operating system
// is not asked: on some machines it says text/plain for scripts.
var types = map[string]string{
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".json":        "application/json",
	".data":        "application/json",
	".map":         "application/json",
	".svg":         "image/svg+xml",
	".webmanifest": "application/manifest+json",
	".txt":         "text/plain; charset=utf-8",
}

func newFile(name string, body []byte, cache string) *file {
	f := &file{body: body, cache: cache, etag: hash(body), mime: types[path.Ext(name)]}
	if f.mime == "" {
		f.mime = "application/octet-stream"
	}
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.BestCompression)
	if err != nil {
		return f
	}
	w.Write(body) // a bytes.Buffer takes everything
	w.Close()
	if z.Len() < len(body) {
		f.gzip = z.Bytes()
	}
	return f
}

// travels returns the bytes of a file as most browsers get them.
func (f *file) travels() []byte {
	if f.gzip != nil {
		return f.gzip
	}
	return f.body
}

// hash names a content: 48 bits are plenty among a handful of files.
func hash(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:6])
}
