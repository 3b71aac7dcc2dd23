package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// platforms are the systems and processors that releases are made for, but for the
// one that this test itself is compiled on.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// TestPlatforms: every package has right types on every platform. That is all that
// a platform can break: what it lacks are names, of files with its ending or of
// its system calls. A compiler would say the same and take minutes for each;
// releases are compiled.
//
// It takes a minute of processor time, and make check asks for it: make test, which follows,
// need not look again.
func TestPlatforms(t *testing.T) {
	if os.Getenv("QIPU_PLATFORMS") == "" {
		t.Skip("types on other platforms: make check looks at them")
	}
	for _, p := range platforms {
		system, processor, _ := strings.Cut(p, "/")
		if system == runtime.GOOS && processor == runtime.GOARCH {
			continue
		}
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			for _, err := range wrongTypes(t, "../..", system, processor) {
				t.Error(err)
			}
		})
	}
}

// TestPlatformsFail: a name that a system lacks is found, also where a file of
// another system has it.
func TestPlatformsFail(t *testing.T) {
	source := map[string]string{
		"go.mod":       "module planted\n\ngo 1.26\n",
		"a.go":         "package planted\n\nimport \"syscall\"\n\nfunc Kill() error { return syscall.Kill(1, 9) }\n\nvar X = here\n",
		"b_linux.go":   "package planted\n\nconst here = 1\n",
		"b_windows.go": "package planted\n\nconst here = 2\n",
	}
	dir := t.TempDir()
	for name, text := range source {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ system, want string }{
		{"linux", ""},
		{"windows", "undefined: syscall.Kill"},
		{"darwin", "undefined: here"},
	} {
		errs := wrongTypes(t, dir, c.system, "arm64")
		switch {
		case c.want == "" && len(errs) > 0:
			t.Errorf("%s: %v", c.system, errs)
		case c.want != "" && (len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), c.want)):
			t.Errorf("%s: %v, not one that says %s", c.system, errs, c.want)
		}
	}
}

// onPlatform is what go list tells of a package on a platform.
type onPlatform struct {
	Dir, ImportPath string
	Standard        bool
	Module          *struct{ Main bool }
	GoFiles         []string
	ImportMap       map[string]string
}

// wrongTypes checks the types of all packages of a module and of what they import,
// in the order of imports; of packages from elsewhere the declarations alone. The
// build is without cgo.
func wrongTypes(t *testing.T, dir, system, processor string) (errs []error) {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-json=Dir,ImportPath,Standard,Module,GoFiles,ImportMap", "./...")
	list.Dir, list.Stderr = dir, os.Stderr
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOWORK=off")
	out, err := list.StdoutPipe()
	if err == nil {
		err = list.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	sizes := types.SizesFor("gc", processor)
	for d := json.NewDecoder(out); ; {
		var p onPlatform
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		ours := p.Module != nil && p.Module.Main
		files := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
		var first error // the others follow from it, or are told next time
		c := types.Config{
			IgnoreFuncBodies: !ours,
			FakeImportC:      true,
			Sizes:            sizes,
			Importer: importer(func(path string) (*types.Package, error) {
				if to, ok := p.ImportMap[path]; ok {
					path = to
				}
				if at := checked[path]; at != nil {
					return at, nil
				}
				return nil, fmt.Errorf("%s is not listed before %s", path, p.ImportPath)
			}),
			Error: func(err error) {
				if first == nil {
					first = err
				}
			},
		}
		checked[p.ImportPath], _ = c.Check(p.ImportPath, files, parsed, nil) // Error has it
		if first != nil && (ours || !p.Standard) {
			errs = append(errs, first)
		}
	}
	if err := list.Wait(); err != nil {
		t.Fatal(err)
	}
	return errs
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
