package web

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// A text asked for by its key, as it stands in the source.
	askedFor = regexp.MustCompile("\\bt\\(\\s*(?:'([^'\\n]+)'|\"([^\"\\n]+)\"|`([^`$\\n]+)`)")
	// A comment that says which keys are put together: // i18n: home.tip.*, nav.*
	declared = regexp.MustCompile("(?m)//[^`\\n]*\\bi18n:(.*)$")
	comments = regexp.MustCompile(`(?m)^\s*//.*$`)
	prefix   = regexp.MustCompile(`([\w.-]+)\*`)
	hole     = regexp.MustCompile(`\{(\w+)\}`)
	plural   = regexp.MustCompile(`^(.+)\.(zero|one|two|few|many|other)$`)
)

// TestTexts checks that every language says everything, and that the source and
// the texts agree on the keys.
func TestTexts(t *testing.T) {
	texts := map[string]map[string]string{}
	for _, lang := range Languages() {
		data, err := fs.ReadFile(sources, "i18n/"+lang+".json")
		if err != nil {
			t.Fatal(err)
		}
		words := map[string]string{}
		if err := json.Unmarshal(data, &words); err != nil {
			t.Fatalf("%s: %v", lang, err)
		}
		if lines := regexp.MustCompile(`(?m)^\s*"[^"]+"\s*:`).FindAllString(string(data), -1); len(lines) != len(words) {
			t.Errorf("%s: %d lines with a key, %d keys: one is there twice, or two share a line", lang, len(lines), len(words))
		}
		texts[lang] = words
	}
	en := texts["en"]
	for lang, words := range texts {
		for key := range en {
			if _, ok := words[key]; !ok {
				t.Errorf("%s lacks %s", lang, key)
			}
		}
		for key, text := range words {
			ref, ok := en[key]
			if !ok {
				t.Errorf("%s has %s, which English lacks", lang, key)
				continue
			}
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s is empty", lang, key)
			}
			have, want := holes(text), holes(ref)
			if plural.MatchString(key) && !strings.HasSuffix(key, ".other") {
				// "one game" need not say its number.
				have, want = slices.DeleteFunc(have, isN), slices.DeleteFunc(want, isN)
			}
			if !slices.Equal(have, want) {
				t.Errorf("%s: %s has the places %v, English has %v", lang, key, have, want)
			}
		}
	}

	var all strings.Builder
	var prefixes []string
	err := fs.WalkDir(sources, "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".ts" {
			return err
		}
		data, err := fs.ReadFile(sources, name)
		if err != nil {
			return err
		}
		code := comments.ReplaceAllString(string(data), "")
		for _, m := range askedFor.FindAllStringSubmatch(code, -1) {
			if key := m[1] + m[2] + m[3]; en[key] == "" && en[key+".other"] == "" {
				t.Errorf("%s asks for %s, which no language has", name, key)
			}
		}
		all.WriteString(code)
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			for _, p := range prefix.FindAllStringSubmatch(m[1], -1) {
				if !slices.ContainsFunc(slices.Collect(maps.Keys(en)), func(key string) bool { return strings.HasPrefix(key, p[1]) }) {
					t.Errorf("%s declares the keys %s, of which there are none", name, p[0])
				}
				prefixes = append(prefixes, p[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// Any literal counts as use: a key may be chosen by a condition or come from
	// a table.
	used := func(key string) bool {
		return slices.ContainsFunc([]string{"'", "\"", "`"}, func(q string) bool { return strings.Contains(all.String(), q+key+q) })
	}
	for _, key := range slices.Sorted(maps.Keys(en)) {
		stem := key
		if m := plural.FindStringSubmatch(key); m != nil {
			stem = m[1]
		}
		if !used(key) && !used(stem) && !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) }) {
			t.Errorf("no source uses %s", key)
		}
	}
}

func isN(s string) bool { return s == "n" }

func holes(text string) []string {
	var out []string
	for _, m := range hole.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}
