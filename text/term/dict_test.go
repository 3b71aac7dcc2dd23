package term

import (
	"slices"
	"strings"
	"testing"

	"qipu/text"
)

// xiangqi returns the dictionary of the package, read anew so that faults show.
func xiangqi(t testing.TB) *Dict {
	t.Helper()
	data, err := files.ReadFile("xiangqi.terms")
	if err != nil {
		t.Fatal(err)
	}
	d, faults := Parse("xiangqi.terms", data)
	for _, f := range faults {
		t.Error(f)
	}
	return d
}

// TestShipped checks what the readers of the file rely on.
func TestShipped(t *testing.T) {
	d := xiangqi(t)
	if d.Game() != "xiangqi" || d.Len() < 150 {
		t.Errorf("%d terms of %q, want at least 150 of xiangqi", d.Len(), d.Game())
	}
	for term := range d.All() {
		if n := term.Names; n.En == "" || n.Hant == "" || n.Hans == "" || n.Ja == "" || n.Ko == "" {
			t.Errorf("%s:%d: %s lacks a name: %+v", term.File, term.Line, term.ID, n)
		}
		if text.Fold(term.Names.Hant) != text.Fold(term.Names.Hans) {
			t.Errorf("%s:%d: %s and %s are not the same characters", term.File, term.Line, term.Names.Hant, term.Names.Hans)
		}
		if got := d.Find(term.Names.Hant); got != term && !strings.Contains(term.Names.Hant, "#") {
			t.Errorf("%s is found as %v, want %s", term.Names.Hant, got, term.ID)
		}
	}
	if got := Of("xiangqi").Len(); got != d.Len() {
		t.Errorf("Of has %d terms, the file %d", got, d.Len())
	}
}

func TestFind(t *testing.T) {
	d := Of("xiangqi")
	for name, want := range map[string]string{
		"屏風馬":             "screen-horses",
		"屏风马":             "screen-horses",
		"屏風傌":             "screen-horses",
		"對屏風馬":            "screen-horses",
		"Screen Horses":   "screen-horses",
		"screen-horses":   "screen-horses",
		"병풍마":             "screen-horses",
		"当头炮":             "central-cannon",
		"左中砲":             "central-cannon",
		"中包":              "central-cannon",
		"兵林線":             "soldier-rank",
		"士角炮":             "palcorner-cannon",
		"飛象局":             "elephant-opening",
		"兵底炮":             "soldier-bottom-cannon",
		"7路馬":             "seventh-file-horse",
		"4路馬":             "file-horse",
		"進９卒":             "file-soldier",
		"57炮":             "five-seven-cannons",
		"鐵門閂":             "iron-bolt",
		"馬后炮":             "cannon-behind-horse",
		"右馬進８路盤河":         "river-coiling-horse",
		"":                "",
		"火車頭":             "",
		"Central cannons": "",
	} {
		got := ""
		if term := d.Find(name); term != nil {
			got = term.ID
		}
		if got != want {
			t.Errorf("Find(%q) = %q, want %q", name, got, want)
		}
	}
	if near := d.Nearest("Central canon", 1); !slices.Equal(near, []string{"Central cannon"}) {
		t.Errorf("nearest to a misspelled name are %q", near)
	}
	if near := d.Nearest("屏風車", 2); !slices.Contains(near, "屏風馬") {
		t.Errorf("nearest to 屏風車 are %q", near)
	}
}

// TestFormsFind checks the law of Forms: who looks for them finds every writing
// of the term that is in the dictionary, with pieces and numbers as either side
// writes them.
func TestFormsFind(t *testing.T) {
	d := Of("xiangqi")
	for term := range d.All() {
		forms := d.Forms(term)
		if len(forms) == 0 || len(forms) >= MaxForms {
			t.Errorf("%s has %d forms, want 1 to %d", term.ID, len(forms), MaxForms-1)
		}
		for i, f := range forms {
			if text.Fold(f) != f {
				t.Errorf("%s: the form %q is not folded", term.ID, f)
			}
			for _, other := range forms[:i] {
				if hasHan(other) && strings.Contains(f, other) {
					t.Errorf("%s: the form %q contains %q", term.ID, f, other)
				}
			}
		}
		found := func(s string) bool {
			s = text.Fold(s)
			return slices.ContainsFunc(forms, func(f string) bool { return strings.Contains(s, f) })
		}
		term.written(func(form string, _ bool) bool {
			black := strings.NewReplacer("兵", "卒", "相", "象", "仕", "士", "炮", "包", "一", "1", "二", "2", "三", "3",
				"四", "4", "五", "5", "六", "6", "七", "7", "八", "8", "九", "9").Replace(form)
			red := strings.NewReplacer("卒", "兵", "象", "相", "士", "仕", "炮", "砲", "馬", "傌", "車", "俥").Replace(form)
			for _, s := range []string{form, black, red} {
				if !found("中" + s + "，") {
					t.Errorf("%s: none of %q is in %s", term.ID, forms, s)
				}
			}
			return true
		})
	}
}

func TestOtherGames(t *testing.T) {
	d := Of("renju")
	if d.Game() != "renju" || d.Len() != 0 || d.Find("花月") != nil || d.ID("x") != nil || d.Title("花月 3") != "" || len(d.Nearest("花月", 3)) > 0 {
		t.Errorf("a game without a dictionary has something in it: %+v", d)
	}
	got := d.Split("花月 3")
	if len(got) != 2 || got[0].Class != Unknown || got[0].Text != "花月" || got[1].Class != Mark {
		t.Errorf("split without a dictionary is %+v", got)
	}
	m := NewMiner(d, MinerOptions{})
	for i := range int64(5) {
		m.Add(i, "花月 "+strings.Repeat("x", int(i)))
	}
	if c := m.Candidates(); len(c) == 0 || c[0].Text != "花月" || c[0].Games != 5 {
		t.Errorf("mined without a dictionary: %+v", c)
	}
}

func TestParseFaults(t *testing.T) {
	const good = "game xiangqi\nsame 卒兵\n\nterm a\nkind move\nname A | 進卒\n\n"
	for _, c := range []struct{ text, want string }{
		{"patern x\n", `x.terms:8: a block begins with "term ID" or "game NAME", not with "patern"`},
		{"term\n", "x.terms:8: a term needs an id, which is one word"},
		{"term b c\n", "x.terms:8: a term needs an id, which is one word"},
		{"term b\nkind move\n", "x.terms:8: the term b needs a name in English and one in Chinese"},
		{"term b\nname B | 馬\n", "x.terms:8: the term b has no kind"},
		{"term b\nkind mover\nname B | 馬\n", `x.terms:9: there is no kind "mover": one of [opening move tactic place piece stage]`},
		{"term b\nkind move\nname\n", "x.terms:10: the field name is empty"},
		{"term b\nkind move\nname B | 馬\naliases 車\n", `x.terms:11: a term has no field "aliases" did you mean alias?`},
		{"term b\nkind move\nname a|b|c|d|e|f\n", "x.terms:10: 6 names: there are five languages"},
		{"term b\nkind move\nname B | 馬\nform [左車\n", "x.terms:11: the form [左車 has a [ without characters or without ]"},
		{"term b\nkind move\nname B | 馬\nform 左?車\n", "x.terms:11: the form 左?車 has a ? without ["},
		{"term b\nkind move\nname B | 馬\nform ##車\n", "x.terms:11: the form ##車 stands for more than 64 texts"},
		{"term a\nkind move\nname B | 馬\n", "x.terms:8: the id a is taken by line 4"},
		{"term b\nkind move\nname B | 進兵\n", "x.terms:8: 進兵 is a name of a too"},
		{"game go\n", "x.terms:8: a second game: a dictionary is of one"},
		{strings.Repeat("x", MaxFile), "x.terms:1: a file of 8388668 bytes: at most 8388608 are read"},
	} {
		d, faults := Parse("x.terms", []byte(good+c.text))
		if len(faults) != 1 || faults[0].Error() != c.want {
			t.Errorf("%.30q: faults %v, want %s", c.text, faults, c.want)
		}
		if len(c.text) < 1000 && (d.Len() != 1 || d.ID("a") == nil) {
			t.Errorf("%.30q: the good block is lost", c.text)
		}
	}
	_, faults := Parse("x.terms", []byte("game x\nsames 卒兵\n"))
	if len(faults) != 1 || faults[0].Error() != `x.terms:2: a game has no field "sames"` {
		t.Errorf("faults %v", faults)
	}
}
