package records

import (
	"mime"
	"net/http/httptest"
	"testing"

	"qipu/record/facts"
	"qipu/store"
)

func TestFileNames(t *testing.T) {
	date := facts.ParseDate("2016-03-09")
	for _, tt := range []struct {
		first, second, want, disposition string
	}{
		{"Ke Jie", "Lee Sedol", "Ke Jie vs Lee Sedol 2016-03-09 7.sgf", `attachment; filename="Ke Jie vs Lee Sedol 2016-03-09 7.sgf"`},
		{"柯潔", "a/b\\c\"\n", "柯潔 vs a-b-c 2016-03-09 7.sgf", `attachment; filename="__ vs a-b-c 2016-03-09 7.sgf"; filename*=UTF-8''%E6%9F%AF%E6%BD%94%20vs%20a-b-c%202016-03-09%207.sgf`},
		{"", "..", "unknown vs unknown 2016-03-09 7.sgf", `attachment; filename="unknown vs unknown 2016-03-09 7.sgf"`},
		{"", "", "weiqi 2016-03-09 7.sgf", `attachment; filename="weiqi 2016-03-09 7.sgf"`},
	} {
		g := &store.Game{ID: 7, Kind: "weiqi 19x19"}
		g.Facts.Date = date
		g.Facts.Players[0].Name, g.Facts.Players[1].Name = tt.first, tt.second
		name := fileName(g, "sgf")
		if name != tt.want {
			t.Errorf("%q, want %q", name, tt.want)
		}
		w := httptest.NewRecorder()
		attach(w, name, "")
		got := w.Header().Get("Content-Disposition")
		if got != tt.disposition {
			t.Errorf("%s, want %s", got, tt.disposition)
		}
		if _, params, err := mime.ParseMediaType(got); err != nil || params["filename"] != name {
			t.Errorf("%s is read as %q, %v", got, params["filename"], err)
		}
	}
}
