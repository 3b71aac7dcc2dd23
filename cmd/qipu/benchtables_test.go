package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

// TestLifeTables measures all methods on the shared boards, and under -rewrite puts
// the tables into docs/life.md. It takes a quarter of an hour.
func TestLifeTables(t *testing.T) {
	if !testkit.Full() {
		t.Skip("measured at full scale only")
	}
	testkit.Data(t, "go-testsets/counted.tar.gz")
	kgs := testkit.Data(t, "go/go-kgs6d.tar.gz")
	dir := t.TempDir()
	for name, text := range testkit.Files(t, "go-testsets/counted.tar.gz") {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root := dir + "/counted"
	final := fmt.Sprintf("%s/igs31 %s/set2-czd %s/set3-korea", root, root, root)
	for _, c := range []struct{ section, command string }{
		{"final", "qipu workshop bench life " + final + " --gnugo off --progress off"},
		{"games", "qipu workshop bench life " + root + "/igs31 --methods graph,verdict --per-game --gnugo off --progress off"},
		{"kgs", "qipu workshop bench life " + root + "/kgs --folds 5 --teach " + kgs + " --gnugo-boards 60 --progress off"},
	} {
		t.Run(c.section, func(t *testing.T) {
			a := newTestApp("")
			if code := shell(a, c.command); code != 0 {
				t.Fatalf("%s: exit %d: %s", c.command, code, a.stderr.String())
			}
			testkit.Section(t, "../../docs/life.md", c.section, "```\n"+strings.TrimLeft(a.stdout.String(), "\n")+"```\n")
		})
	}
}
