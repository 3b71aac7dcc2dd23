package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun makes tables of small dictionaries.
func TestRun(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	for name, data := range map[string]string{
		"TSCharacters.txt":          "# head\n龍\t龙\n發\t发\n髮\t发\n㑮\t㑮 𫝈\n",
		"STCharacters.txt":          "龙\t龍\n",
		"JPShinjitaiCharacters.txt": "竜\t龍\n弁\t辨 瓣\n",
		"TWVariants.txt":            "",
		"HKVariants.txt":            "",
		"pinyin.txt":                "U+9F99: lóng,máng  # 龙\nU+9F8D: lóng  # 龍\nU+5415: lǚ  # 吕\nU+2A6D6: x  # rare\n",
	} {
		if err := os.WriteFile(filepath.Join(in, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(in, "c1", filepath.Join(in, "pinyin.txt"), "c2", out); err != nil {
		t.Fatal(err)
	}
	fold, err := os.ReadFile(filepath.Join(out, "fold.txt"))
	if err != nil {
		t.Fatal(err)
	}
	pinyin, err := os.ReadFile(filepath.Join(out, "pinyin.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"=\t龙竜龍", "=\t发發髮", "=\t岛島嶋嶌", "27\t~___._~__"} {
		if !strings.Contains(string(fold), "\n"+line+"\n") {
			t.Errorf("fold.txt lacks the line %q", line)
		}
	}
	for _, part := range []string{"𫝈", "瓣"} {
		if strings.Contains(string(fold), part) {
			t.Errorf("fold.txt has %s", part)
		}
	}
	if want := "\nlong\t龙\nlu\t吕\n"; !strings.HasSuffix(string(pinyin), want) {
		t.Errorf("pinyin.txt ends %q, want %q", string(pinyin)[max(0, len(pinyin)-40):], want)
	}
	if err := run("", "", "", "", out); err == nil {
		t.Error("no error where nothing is given")
	}
	if err := run(filepath.Join(in, "absent"), "c1", in, "c2", out); err == nil {
		t.Error("no error where nothing is there")
	}
}
