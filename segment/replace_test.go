//qipu:race

package segment_test

import (
	"os"
	"path/filepath"
	"testing"

	"qipu/segment"
)

// TestReplace: a file is replaced as a whole, whatever a killed writer left, and
// stays as it was where that fails.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(filepath.Join(dir, ".file.new"), []byte("half of somethi"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"long text\n", "short\n", ""} {
		if err := segment.Replace(path, 0o600, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	taken := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(taken, "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := segment.Replace(taken, 0o600, []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
