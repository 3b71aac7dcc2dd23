package wire

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/store"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"clickhouse://h/db", "clickhouse://default@h:9000/db"},
		{"clickhouse://me@h1,h2:9001/db", "clickhouse://me@h1:9000,h2:9001/db"},
		{"clickhouse://h/db?tls=1", "clickhouse://default@h:9440/db?tls=1"},
		{"clickhouse://h:9000/db?tls=true&timeout=90s", "clickhouse://default@h:9000/db?tls=1&timeout=1m30s"},
		{"clickhouse://[::1]:9000,[fe80::2]/db", "clickhouse://default@[::1]:9000,[fe80::2]:9000/db"},
		{"clickhouse://a%40b@h/db_2", "clickhouse://a%40b@h:9000/db_2"},
		{"clickhouse://h/db?tls=0&timeout=60s", "clickhouse://default@h:9000/db"},
	} {
		cfg, err := Parse(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		if cfg.String() != c.want {
			t.Errorf("%s: %s, want %s", c.url, cfg, c.want)
		}
		again, err := Parse(cfg.String())
		if err != nil || again.String() != cfg.String() || again.User != cfg.User {
			t.Errorf("%s: read again it is %v, %v", c.url, again, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for url, want := range map[string]string{
		"/some/folder":                       "is written clickhouse://",
		"clickhouse://h":                     "names the database",
		"clickhouse://h/":                    "names the database",
		"clickhouse://h/a-b":                 "letters, digits",
		"clickhouse://h/a/b":                 "names the database",
		"clickhouse:///db":                   "HOST:PORT",
		"clickhouse://h,/db":                 "HOST:PORT",
		"clickhouse://h:x/db":                "HOST:PORT",
		"clickhouse://h:0/db":                "HOST:PORT",
		"clickhouse://::1/db":                "HOST:PORT",
		"clickhouse://[h]/db":                "HOST:PORT",
		"clickhouse://h'/db":                 "HOST:PORT",
		"clickhouse://h,h:9000/db":           "twice",
		"clickhouse://me:secret@h/db":        "no password",
		"clickhouse://h/db?password=secret":  "no password",
		"clickhouse://h/db?passwort=secret":  "ca, password-file, timeout, tls",
		"clickhouse://h/db?tls=maybe":        "tls=1 or tls=0",
		"clickhouse://h/db?ca=x":             "tls=1 only",
		"clickhouse://h/db?timeout=5":        "such as 90s",
		"clickhouse://h/db?timeout=1ms":      "at least a second",
		"clickhouse://h/db?password-file=no": "file of the password",
		"clickhouse://me:secret?x@h/db":      "%40",
		"clickhouse://h/db?a=%zz;secret":     "cannot be read",
	} {
		_, err := Parse(url)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		} else if strings.Contains(err.Error(), "secret") || !strings.HasPrefix(err.Error(), "cluster: ") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// The password comes from where it should, and is never printed.
func TestPassword(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named, general := file("named", "one\r\nmore"), file("general", "two")
	for _, c := range []struct{ url, variable, file, want string }{
		{"clickhouse://h/db", "", "", ""},
		{"clickhouse://h/db", "three", "", "three"},
		{"clickhouse://h/db", "", general, "two"},
		{"clickhouse://h/db", "three", general, "three"},
		{"clickhouse://h/db?password-file=" + named, "three", general, "one"},
	} {
		os.Unsetenv(PasswordVariable)
		if t.Setenv(PasswordFileVariable, c.file); c.variable != "" {
			t.Setenv(PasswordVariable, c.variable)
		}
		cfg, err := Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if cfg.password != nil {
			got = *cfg.password
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
		if c.want == "" {
			continue
		}
		nested := struct{ c Config }{*cfg}
		for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			for _, x := range []any{cfg, *cfg, nested, &nested} {
				if text := fmt.Sprintf(form, x); strings.Contains(text, c.want) {
					t.Errorf("%s: %s", form, text)
				}
			}
		}
	}
}

func TestIsURL(t *testing.T) {
	for s, want := range map[string]bool{"clickhouse://h/db": true, "clickhouse://": true, "clickhouse": false, "./clickhouse:/x": false, "": false} {
		if store.OnServers(s) != want {
			t.Errorf("%s: %v", s, !want)
		}
	}
}

func TestTimeoutDefault(t *testing.T) {
	cfg, err := Parse("clickhouse://h/db")
	if err != nil || cfg.Timeout != 60*time.Second {
		t.Error(cfg.Timeout, err)
	}
}
