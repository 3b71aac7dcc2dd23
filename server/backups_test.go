package server

import (
	"path/filepath"
	"testing"

	"qipu"
	"qipu/internal/testkit"
	"qipu/view"
)

// TestBackups makes a backup, changes the library, and makes a library of the backup
// beside it, which is as it was.
func TestBackups(t *testing.T) {
	w := newWorldWith(t, Options{Backups: filepath.Join(t.TempDir(), "backups")})
	before := w.ids()
	done := func(asked *view.Care) *view.Care {
		t.Helper()
		var c *view.Care
		testkit.Until(t, asked.Task, func() bool { c = fetch[view.Care](w, "/library/care"); return c.State != "running" })
		if c.Task != asked.Task || c.State != "done" || c.Made == "" {
			t.Fatalf("%s: %+v", asked.Task, c)
		}
		return c
	}
	made := done(send[view.Care](w, 200, "POST", "/library/backups", nil)).Made
	if list := fetch[view.Backups](w, "/library/backups").Backups; len(list) != 1 || list[0].Name != made {
		t.Fatalf("backups %v, made %s", list, made)
	}
	if err := w.lib.Records().Delete(w.ctx, before[0]); err != nil {
		t.Fatal(err)
	}
	dir := done(send[view.Care](w, 200, "POST", "/library/backups/"+made+"/restore", nil)).Made
	was, err := qipu.Open(w.ctx, dir, qipu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer was.Close()
	ids, err := was.Records().IDs(w.ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := ids.ToArray(); len(got) != len(before) || len(w.ids()) != len(before)-1 {
		t.Errorf("restored %d games, the library has %d, and had %d", len(got), len(w.ids()), len(before))
	}
	for _, name := range []string{made + "x", "restored-" + made, "%2e%2e"} {
		send[struct{}](w, 404, "POST", "/library/backups/"+name+"/restore", nil)
	}
}
