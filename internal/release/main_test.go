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
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// TestPacked: archives have every file as it was, in the same bytes each time.
func TestPacked(t *testing.T) {
	files := []file{{"q/LICENSE", 0o644, []byte("free")}, {"q/qipu", 0o755, bytes.Repeat([]byte("x"), 100_000)}}
	for name, pack := range map[string]func([]file) ([]byte, error){"tar": tarred, "zip": zipped} {
		a, err := pack(files)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := pack(files); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: not the same twice (%v)", name, err)
		}
		got := map[string]string{}
		modes := map[string]bool{}
		if name == "zip" {
			z, err := zip.NewReader(bytes.NewReader(a), int64(len(a)))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				got[f.Name], modes[f.Name] = string(data), f.Mode()&0o100 != 0
			}
		} else {
			z, err := gzip.NewReader(bytes.NewReader(a))
			if err != nil {
				t.Fatal(err)
			}
			for r := tar.NewReader(z); ; {
				h, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				got[h.Name], modes[h.Name] = string(data), h.FileInfo().Mode()&0o100 != 0
			}
		}
		for _, f := range files {
			if got[f.name] != string(f.data) || modes[f.name] != (f.mode == 0o755) || len(got) != len(files) {
				t.Errorf("%s: %s has %d bytes, and may be run: %v", name, f.name, len(got[f.name]), modes[f.name])
			}
		}
	}
}

// TestSBOM: the list of this test's own binary has what it was built with.
func TestSBOM(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	info.Deps = append(info.Deps, &debug.Module{Path: "example.org/m", Version: "v1.0.0"})
	text, err := sbom("1.2", info, []byte("program"))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		BomFormat, SpecVersion string
		Metadata               struct {
			Component struct {
				Name, Version string
				Hashes        []struct{ Alg, Content string }
			}
		}
		Components   []struct{ Name, Version, Purl string }
		Dependencies []struct{ DependsOn []string }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("program"))
	c := got.Metadata.Component
	if got.BomFormat != "CycloneDX" || got.SpecVersion != "1.5" || c.Name != "qipu" || c.Version != "1.2" || c.Hashes[0].Content != hex.EncodeToString(sum[:]) {
		t.Errorf("%s", text)
	}
	last := got.Components[len(got.Components)-1]
	if got.Components[0].Name != "std" || last.Name != "example.org/m" || last.Purl != "pkg:golang/example.org/m@v1.0.0" || len(got.Dependencies[0].DependsOn) != len(got.Components) {
		t.Errorf("%s", text)
	}
}

// TestRefuses: what is no program, or too large, does not become an archive.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	large, plain := filepath.Join(dir, "large"), filepath.Join(dir, "plain")
	native := filepath.Join(dir, "qipu")
	if err := os.WriteFile(native, []byte("#!/bin/sh\nif [ \"$1\" = man ]; then echo page > \"$3/qipu.1\"; fi\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{large: mostBytes + 1, plain: 100} {
		if err := errors.Join(os.WriteFile(name, nil, 0o666), os.Truncate(name, size)); err != nil {
			t.Fatal(err)
		}
	}
	o := options{version: "1", native: native, out: filepath.Join(dir, "out"), root: filepath.Join("..", "..")}
	for program, want := range map[string]string{large: "may have 75", plain: "plain", filepath.Join(dir, "none"): "none"} {
		if err := o.run(io.Discard, []string{program}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", program, err)
		}
	}
}
