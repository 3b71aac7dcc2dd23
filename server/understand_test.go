package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"qipu/query"
	"qipu/retrieve"
	"qipu/view"
	"qipu/view/answerview"
)

// TestUnderstand: what a query is taken apart into is the query again.
func TestUnderstand(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		query, game string
		board       string // word, size, anchor, place, edges
		conditions  string
	}{
		{"", "", "", ""},
		{"player:ada", "", "", "player:ada"},
		{"player:ada since 2020 -result:draw", "", "", "player:ada|date>=2020|not result"},
		{"(event:a or event=b) moves>20", "", "", "any(event:a,event=b)|moves>20"},
		{corner, "weiqi", "board 4x4 corner 0,0 top left", ""},
		{"game:weiqi " + corner + " black:x", "", "board 4x4 corner 0,0 top left", "game:weiqi|black:x"},
		{"board:XO board:OX", "othello", "board 2x1 floating -1,-1 ", "board:OX"},
		{"not board:XO", "othello", "", "not board"},
		{"position:f5", "othello", "position 8x8 whole 0,0 top right bottom left", ""},
		{"position:'f5'{region:a1:c3 fixed}", "othello", "position 3x3 fixed 0,0 ", ""},
		{"position:'Q16 D4'{region:A1:G7}", "weiqi", "position 7x7 corner 0,12 bottom left", ""},
		{"line:f5d6", "othello", "line 8x8 whole 0,0 top right bottom left", ""},
		{"fuzzy:'R../.n.'{min:.7}", "xiangqi", "fuzzy 3x2 floating -1,-1 ", ""},
		{"when(board:XO and turn:black)", "othello", "", ""},
	} {
		u := fetch[view.Understood](w, "/query", "q", c.query, "game", c.game)
		if u.Problem != nil {
			t.Errorf("%q: %+v", c.query, u.Problem)
			continue
		}
		got := ""
		if d := u.Board; d != nil {
			got = fmt.Sprintf("%s %dx%d %s %d,%d %s", d.Word, d.Columns, d.Rows, d.Anchor, d.Column, d.Row, strings.Join(d.Edges, " "))
			if len(d.Cells) != d.Columns*d.Rows || len(d.Pieces) != len(d.Cells) {
				t.Errorf("%q: %d cells", c.query, len(d.Cells))
			}
		}
		if got != c.board {
			t.Errorf("%q: the board is %q, want %q", c.query, got, c.board)
		}
		if list := tell(u.Conditions, "|"); c.conditions != "" && list != c.conditions {
			t.Errorf("%q: the conditions are %q, want %q", c.query, list, c.conditions)
		}
		// All parts together are the query.
		var parts []string
		if d := u.Board; d != nil {
			text := query.Diagram{Word: d.Word, Text: d.Text}.String()
			if len(d.Options) > 0 {
				text += "{" + strings.Join(d.Options, " ") + "}"
			}
			parts = append(parts, text)
		}
		for i := range u.Conditions {
			parts = append(parts, "("+u.Conditions[i].Text+")")
		}
		whole := fetch[view.Understood](w, "/query", "q", strings.Join(parts, " "), "game", c.game)
		if whole.Problem != nil || len(whole.Conditions) != len(u.Conditions) {
			t.Errorf("%q: the parts %q do not read back: %+v", c.query, parts, whole.Problem)
		}
		a, b := fetch[view.Answer](w, "/find", "q", c.query, "game", c.game), fetch[view.Answer](w, "/find", "q", strings.Join(parts, " "), "game", c.game)
		if a.Games != b.Games || a.Hits != b.Hits {
			t.Errorf("%q: the parts find %d games, want %d", c.query, b.Games, a.Games)
		}
	}
}

// tell tells conditions in short.
func tell(list []view.Condition, between string) string {
	var words []string
	for i := range list {
		c := &list[i]
		switch {
		case len(c.Any) > 0:
			words = append(words, "any("+tell(c.Any, ",")+")")
		case c.Negated:
			words = append(words, "not "+c.Field)
		default:
			words = append(words, c.Field+c.Op+c.Value)
		}
	}
	return strings.Join(words, between)
}

// TestMistakes: places are those that browsers count.
func TestMistakes(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ query, game, part string }{
		{"player:ada moves>x", "", "moves>x"},
		{"𠮷 趙治勳 moves>x", "", "moves>x"},
		{"event:𠮷 ply:a", "", "ply:a"},
		{"board:\"XO/O\"", "othello", ""},
		{"player:(", "", ""},
		{"board:XO", "", ""},
		{"collection:none", "", ""},
		{"named:nobody", "", ""},
	} {
		u := fetch[view.Understood](w, "/query", "q", c.query, "game", c.game)
		if u.Problem == nil || u.Problem.Message == "" || u.Text != "" || u.Board != nil {
			t.Errorf("%q: %+v", c.query, u)
			continue
		}
		units := utf16.Encode([]rune(c.query))
		at, end := u.Problem.At, u.Problem.At+u.Problem.Length
		if end > len(units) {
			t.Errorf("%q: the mistake ends at %d of %d", c.query, end, len(units))
			continue
		}
		if got := string(utf16.Decode(units[at:end])); c.part != "" && !strings.Contains(c.part, strings.TrimSpace(got)) {
			t.Errorf("%q: the mistake is in %q, want %q", c.query, got, c.part)
		}
	}
	if p := refused(w, "/query", "q", "all", "game", "shoe"); p.Code != "no-game" {
		t.Errorf("%+v", p)
	}
}

func TestComplete(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		query, want string
		from, to    int
	}{
		{"play", "player:", 0, 4},
		{"game:oth", "othello", 5, 8},
		{"collection:de", "demo", 11, 13},
		{"𠮷 play", "player:", 3, 7},
		{"結果:wi", "win", 3, 5},
	} {
		list := fetch[view.Completions](w, "/query/complete", "q", c.query, "at", fmt.Sprint(len(utf16.Encode([]rune(c.query)))))
		i := slices.IndexFunc(list.Items, func(x view.Completion) bool { return x.Text == c.want })
		if i < 0 {
			t.Errorf("%q: %+v, want %s", c.query, list.Items, c.want)
		} else if x := list.Items[i]; x.From != c.from || x.To != c.to {
			t.Errorf("%q: %+v, want %d to %d", c.query, x, c.from, c.to)
		}
	}
}

func TestReference(t *testing.T) {
	w := newWorld(t)
	r := fetch[view.Reference](w, "/query/reference")
	if len(r.Fields) != len(query.Reference()) || !slices.Equal(r.Sorts, retrieve.Orders()) || !slices.Equal(r.Groups, retrieve.Dimensions()) || !slices.Contains(r.Anchors, "centre") {
		t.Errorf("%+v", r)
	}
	for _, f := range r.Fields {
		if f.Names["ja"] == "" || f.Meaning == "" || f.Example == "" || f.Value == "" {
			t.Errorf("%+v", f)
		}
		if u := fetch[view.Understood](w, "/query", "q", f.Example); u.Problem != nil && !strings.Contains(u.Problem.Message, "which game") && f.Value != "name" && f.Value != "board" && f.Value != "side" {
			t.Errorf("the example %q: %+v", f.Example, u.Problem)
		}
	}
	x := fetch[view.Weights](w, "/query/weights", "game", "xiangqi")
	for _, p := range x.Pieces {
		q := fmt.Sprintf("fuzzy:'R/n'{%s:%g}", p.Letters[:1], p.Weight)
		a, b := fetch[view.Answer](w, "/find", "q", q, "game", "xiangqi"), fetch[view.Answer](w, "/find", "q", "fuzzy:'R/n'", "game", "xiangqi")
		if len(p.Letters) != 2 || a.Games != b.Games {
			t.Errorf("%+v: %d games, want %d", p, a.Games, b.Games)
		}
	}
	if len(x.Pieces) != 7 || x.Min != .8 {
		t.Errorf("%+v", x)
	}
}

// FuzzUnits: places in UTF-16 and in bytes are the same places.
func FuzzUnits(f *testing.F) {
	f.Add("player:趙治勳 𠮷", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		text = strings.ToValidUTF8(text, "?")
		n = min(max(n, 0), answerview.Units(text))
		at := answerview.Offset(text, n)
		if back := answerview.Units(text[:at]); back != n && back != n+1 { // a half of a pair ends with it
			t.Errorf("%q: %d units are %d bytes, which are %d units", text, n, at, back)
		}
	})
}
