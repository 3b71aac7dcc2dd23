// Release puts together what is given to people, from programs that were built for each
// system:
//
//	release -version 1.2 -native bin/qipu -out dist dist/build/linux-amd64/qipu dist/build/windows-amd64/qipu.exe
//
// Each becomes an archive with the manual pages, the completions of shells, the licences
// and a list of all that is compiled into it (SBOM, CycloneDX); SHA256SUMS has the sums of
// all files. The same programs give the same bytes.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// mostBytes is how large a program may be.
const mostBytes = 75_000_000

func main() {
	var o options
	flag.StringVar(&o.version, "version", "", "version of the program")
	flag.StringVar(&o.native, "native", "", "the program for this system, which writes the manual pages and completions")
	flag.StringVar(&o.out, "out", "dist", "folder of the archives")
	flag.StringVar(&o.root, "root", ".", "folder of the sources, which has the licences")
	flag.Parse()
	if o.version == "" || o.native == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := o.run(os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

type options struct{ version, native, out, root string }

// file is one of an archive, by its path in it.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

// kept are the files and folders of the sources that each archive has.
var kept = []string{"README.md", "LICENSE", "NOTICE", "CHANGELOG.md", "LICENSES", "deploy"}

func (o *options) run(w io.Writer, programs []string) error {
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return err
	}
	var common []file
	for _, name := range kept {
		if err := gather(&common, filepath.Join(o.root, name), name); err != nil {
			return err
		}
	}
	said, err := o.said()
	if err != nil {
		return err
	}
	common = append(common, said...)
	var sums strings.Builder
	note := func(name string, data []byte) error {
		sum := sha256.Sum256(data)
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
		return os.WriteFile(filepath.Join(o.out, name), data, 0o666)
	}
	for _, program := range programs {
		data, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		if len(data) > mostBytes {
			return fmt.Errorf("%s has %.1f MB, and may have %d", program, float64(len(data))/1e6, mostBytes/1_000_000)
		}
		info, err := buildinfo.Read(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		name := fmt.Sprintf("qipu-%s-%s-%s", o.version, setting(info, "GOOS"), setting(info, "GOARCH"))
		bom, err := sbom(o.version, info, data)
		if err != nil {
			return err
		}
		files := append(slices.Clone(common), file{filepath.Base(program), 0o755, data}, file{"sbom.cdx.json", 0o644, bom})
		for i := range files {
			files[i].name = path.Join(name, files[i].name)
		}
		slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
		pack, ext := tarred, ".tar.gz"
		if strings.HasSuffix(program, ".exe") {
			pack, ext = zipped, ".zip"
		}
		archive, err := pack(files)
		if err == nil {
			err = errors.Join(note(name+ext, archive), note(name+".cdx.json", bom))
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s  %.1f MB, the program %.1f MB\n", name+ext, float64(len(archive))/1e6, float64(len(data))/1e6)
	}
	return os.WriteFile(filepath.Join(o.out, "SHA256SUMS"), []byte(sums.String()), 0o666)
}

// gather adds a file, or all of a folder.
func gather(list *[]file, from, name string) error {
	return filepath.WalkDir(from, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, at)
		*list = append(*list, file{path.Join(name, filepath.ToSlash(below)), 0o644, data})
		return err
	})
}

// said returns what the program says of itself: manual pages and completions.
func (o *options) said() (list []file, err error) {
	dir, err := os.MkdirTemp("", "qipu-release-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if out, err := exec.Command(o.native, "man", "--to", dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s man: %w\n%s", o.native, err, out)
	}
	if err := gather(&list, dir, "man/man1"); err != nil {
		return nil, err
	}
	for shell, name := range map[string]string{"bash": "qipu.bash", "zsh": "_qipu", "fish": "qipu.fish", "powershell": "qipu.ps1"} {
		out, err := exec.Command(o.native, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("%s completion %s: %w", o.native, shell, err)
		}
		list = append(list, file{"completions/" + name, 0o644, out})
	}
	return list, nil
}

// made is when all files of an archive are said to be from: the same programs give the
// same archive. Zip knows no earlier time.
var made = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func tarred(files []file) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: made, Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), z.Close())
	return out.Bytes(), err
}

func zipped(files []file) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: made}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

func setting(info *buildinfo.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// sbom returns the list of what is compiled into a program, as CycloneDX 1.5 has it.
func sbom(version string, info *buildinfo.BuildInfo, program []byte) ([]byte, error) {
	type hash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	type component struct {
		Type    string `json:"type"`
		Ref     string `json:"bom-ref"`
		Name    string `json:"name"`
		Version string `json:"version"`
		PURL    string `json:"purl,omitempty"`
		Hashes  []hash `json:"hashes,omitempty"`
	}
	type tree struct {
		Ref  string   `json:"ref"`
		Uses []string `json:"dependsOn"`
	}
	sum := sha256.Sum256(program)
	self := component{Type: "application", Ref: "qipu", Name: "qipu", Version: version, Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}}}
	list := []component{{Type: "library", Ref: "std", Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"), PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		purl := "pkg:golang/" + d.Path + "@" + d.Version
		list = append(list, component{Type: "library", Ref: purl, Name: d.Path, Version: d.Version, PURL: purl})
	}
	uses := tree{Ref: "qipu", Uses: []string{}}
	for i := range list {
		uses.Uses = append(uses.Uses, list[i].Ref)
	}
	return json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":     map[string]any{"component": self},
		"components":   list,
		"dependencies": []tree{uses},
	}, "", "  ")
}
