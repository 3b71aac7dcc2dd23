package players

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"qipu/text"
)

// TestKnown checks known.txt: every line can be read, no name belongs to two
// persons, and the games have names.
func TestKnown(t *testing.T) {
	games := map[string]int{}
	of := map[string]string{}
	for _, e := range known() {
		for _, g := range e.games {
			games[g]++
		}
		for i, f := range e.folded {
			if f == "" {
				t.Errorf("%s has an empty name", e.listed)
			}
			if other, ok := of[f]; ok {
				t.Errorf("%s is %s and %s", e.names[i], other, e.listed)
			}
			of[f] = e.listed
		}
		if len(e.names) < 2 {
			t.Errorf("%s has one name only", e.listed)
		}
	}
	if got := slices.Sorted(maps.Keys(games)); !slices.Equal(got, []string{"chess", "go", "othello", "renju", "xiangqi"}) {
		t.Errorf("games are %q", got)
	}
	lines := 0
	for line := range strings.Lines(knownText) {
		if s := strings.TrimSpace(line); s != "" && s[0] != '#' {
			lines++
		}
	}
	if len(known()) != lines || lines < 150 {
		t.Errorf("%d persons on %d lines", len(known()), lines)
	}
}

func TestPerson(t *testing.T) {
	b := NewBook(nil)
	for name, want := range map[string]string{
		"李世石": "Lee Sedol", "李世乭": "Lee Sedol", "이세돌": "Lee Sedol", "LEE, SEDOL": "Lee Sedol", "イ・セドル": "Lee Sedol",
		"胡荣华": "Hu Ronghua", "上海胡榮華": "Hu Ronghua", "黑龍江趙國榮": "Zhao Guorong", "於幼華": "Yu Youhua", "浙江于幼华": "Yu Youhua",
		"上海": "上海", "上海某人": "上海某人", "  Some   Body ": "Some Body", "": "",
		"Carlsen,M": "Magnus Carlsen", "卡爾森": "Magnus Carlsen", "Карлсен": "Magnus Carlsen", "Nimzowitsch, Aaron ": "Aron Nimzowitsch", "丁立人": "Ding Liren",
		"KozhinMikhail": "Kozhin Mikhail", "Takagawa Shukaku": "Takagawa Kaku", "張栩": "Cho U",
	} {
		if got := b.Canonical(name); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", name, got, want)
		}
	}
	canonical, aliases := b.Person("柯洁")
	if canonical != "Ke Jie" || !slices.Contains(aliases, "柯潔") || slices.Contains(aliases, "Ke Jie") {
		t.Errorf("柯洁 is %s, also %q", canonical, aliases)
	}
	if got := b.Games("柯洁"); !slices.Equal(got, []string{"go"}) {
		t.Errorf("柯洁 plays %q", got)
	}
	if b.Key("New  Name") != b.Key("new, NAME") || b.Key("New Name") == b.Key("Other Name") {
		t.Error("keys do not follow the spelling")
	}
}

func TestEdits(t *testing.T) {
	edits := []Edit{
		{ID: 1, Op: Merge, Names: []string{"kejie2019", "Ke Jie"}},
		{ID: 2, Op: Merge, Names: []string{"A", "B"}, Into: "Alpha"},
		{ID: 3, Op: Merge, Names: []string{"C", "B"}},
		{ID: 4, Op: Split, Names: []string{"李世石"}, Into: "Li Shishi"},
		{ID: 5, Op: Rename, Names: []string{"胡榮華"}, Into: "胡榮華"},
		{ID: 6, Op: "tell", Names: []string{"A", "Lee Sedol"}},
		{ID: 7, Op: Merge, Names: []string{"", " "}, Into: "Nobody"},
		{ID: 8, Op: Rename, Names: []string{"A"}, Into: "Lee Sedol"},
	}
	is := func(b *Identities, name, want string) {
		t.Helper()
		if got := b.Canonical(name); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", name, got, want)
		}
	}
	b := NewBook(edits)
	is(b, "柯潔", "kejie2019")
	is(b, "a", "C") // merges are transitive
	is(b, "Alpha", "C")
	is(b, "李世石", "Li Shishi")
	is(b, "이세돌", "Lee Sedol")
	is(b, "上海胡荣华", "胡榮華")
	is(b, "Hu Ronghua", "胡榮華")

	edits[0].Undone, edits[2].Undone, edits[3].Undone = true, true, true
	b = NewBook(edits)
	is(b, "柯潔", "Ke Jie")
	is(b, "kejie2019", "kejie2019")
	is(b, "b", "Alpha")
	is(b, "C", "C")
	is(b, "李世石", "Lee Sedol")

	b = NewBook([]Edit{{Op: Split, Names: []string{"Lee Sedol", "Yi Sedol"}}})
	is(b, "Yi Sedol", "Lee Sedol")
	if got := b.Canonical("이세돌"); got == "Lee Sedol" || b.Canonical("李世石") != got {
		t.Errorf("what is left is listed under %q", got)
	}
}

// names are those of random edits: known, new, and with a team.
var names = []string{"Lee Sedol", "李世石", "이세돌", "Ke Jie", "柯潔", "胡榮華", "上海胡榮華", "Hu Ronghua", "A", "b", "B ", "C c", "新人", "上海新人", "", "Lee, Sedol"}

func randomEdits(rng *rand.Rand, n int) []Edit {
	pick := func() string { return names[rng.IntN(len(names))] }
	edits := make([]Edit, n)
	for i := range edits {
		edits[i] = Edit{ID: int64(i), Op: []string{Merge, Split, Rename}[rng.IntN(3)]}
		for range 1 + rng.IntN(3) {
			edits[i].Names = append(edits[i].Names, pick())
		}
		if rng.IntN(2) == 0 {
			edits[i].Into = pick()
		}
	}
	return edits
}

// groups prints what a book says about names.
func groups(b *Identities) string {
	var s strings.Builder
	for _, n := range names {
		canonical, aliases := b.Person(n)
		fmt.Fprintln(&s, n, canonical, aliases, b.Games(n))
	}
	return s.String()
}

func checkLaws(t *testing.T, edits []Edit, undo int) {
	t.Helper()
	b := NewBook(edits)
	for _, n := range names {
		c := b.Canonical(n)
		if again := b.Canonical(c); again != c {
			t.Fatalf("Canonical(%q) = %q, of which it is %q after %+v", n, c, again, edits)
		}
		p, aliases := b.Person(n)
		if p != c {
			t.Fatalf("Person(%q) is %q, Canonical %q", n, p, c)
		}
		for _, a := range aliases {
			if b.Canonical(a) != c {
				t.Fatalf("%q is a name of %q, but listed under %q after %+v", a, c, b.Canonical(a), edits)
			}
		}
	}
	without := slices.Delete(slices.Clone(edits), undo, undo+1)
	undone := slices.Clone(edits)
	undone[undo].Undone = true
	if got, want := groups(NewBook(undone)), groups(NewBook(without)); got != want {
		t.Fatalf("undone:\n%s\nnever done:\n%s", got, want)
	}
	if got, want := groups(NewBook(edits)), groups(b); got != want {
		t.Fatalf("the same edits make two books")
	}
	merged := append(slices.Clone(edits), Edit{Op: Merge, Names: []string{"x1", "A"}}, Edit{Op: Merge, Names: []string{"A", "柯潔"}})
	m := NewBook(merged)
	if m.Canonical("x1") != m.Canonical("柯潔") {
		t.Fatalf("merges are not transitive after %+v", edits)
	}
	for i := range 2 {
		merged[len(edits)+i].Undone = true
	}
	if got, want := groups(NewBook(merged)), groups(b); got != want {
		t.Fatalf("merged and undone:\n%s\nbefore:\n%s", got, want)
	}
}

func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		edits := randomEdits(rng, 1+rng.IntN(8))
		checkLaws(t, edits, rng.IntN(len(edits)))
	}
}

func FuzzLaws(f *testing.F) {
	f.Add(uint64(1), uint64(2), 3)
	f.Fuzz(func(t *testing.T, a, b uint64, n int) {
		rng := rand.New(rand.NewPCG(a, b))
		edits := randomEdits(rng, 1+int(uint(n)%10))
		checkLaws(t, edits, rng.IntN(len(edits)))
	})
}

func TestFind(t *testing.T) {
	library := []string{"Lee Sedol", "李世石", "Lee Changho", "胡榮華", "上海胡榮華", "Hu Ming", "柯洁", "Yi Sedol", "Kelly", "王一帆", "Iyama Yuta", "Takagawa Kaku", "Takagawa Shukaku", "Jie Li", "Sedol fan"}
	b := NewBook([]Edit{{Op: Merge, Names: []string{"Kelly", "K3lly"}}})
	for query, want := range map[string]string{
		"Lee Sedol":     "Lee Sedol,李世石,Yi Sedol",
		"이세돌":           "Lee Sedol,李世石,Yi Sedol",
		"sedol":         "Lee Sedol,Yi Sedol,Sedol fan,李世石",
		"Lee":           "Lee Sedol,Lee Changho,李世石,Yi Sedol",
		"Hu Ronghua":    "胡榮華,上海胡榮華",
		"Ronghua Hu":    "胡榮華,上海胡榮華",
		"荣华":            "胡榮華,上海胡榮華",
		"Ke Jie":        "柯洁",
		"Jie Ke":        "柯洁",
		"K3lly":         "Kelly",
		"Wang Yifan":    "王一帆",
		"いやま":           "Iyama Yuta",
		"Takagawa Kaku": "Takagawa Kaku,Takagawa Shukaku",
		"xyzzy":         "",
		"":              "",
		" . ":           "",
	} {
		if got := strings.Join(b.Find(query, slices.Values(library)), ","); got != want {
			t.Errorf("Find(%q) = %q, want %q", query, got, want)
		}
	}
	twice := b.Find("Kelly", slices.Values([]string{"Kelly", "Kelly", "KELLY"}))
	if !slices.Equal(twice, []string{"Kelly", "KELLY"}) {
		t.Errorf("found %q", twice)
	}
}

// FuzzFind: what is found is in the library, once, and every name that contains the
// query is found.
func FuzzFind(f *testing.F) {
	f.Add("Lee", "Lee Sedol\n李世石\nAda Lee")
	f.Add("华", "胡榮華\n上海胡榮華")
	b := NewBook(nil)
	f.Fuzz(func(t *testing.T, query, library string) {
		all := strings.Split(library, "\n")
		got := b.Find(query, slices.Values(all))
		seen := map[string]bool{}
		for _, name := range got {
			if seen[name] || !slices.Contains(all, name) {
				t.Fatalf("Find(%q) = %q", query, got)
			}
			seen[name] = true
		}
		q := text.Fold(query)
		for _, name := range all {
			if q != "" && strings.Contains(text.Fold(name), q) && !seen[name] {
				t.Fatalf("Find(%q) = %q lacks %q", query, got, name)
			}
		}
	})
}

func TestBooksShareNothing(t *testing.T) {
	before := groups(NewBook(nil))
	entries := slices.Clone(known())
	NewBook([]Edit{{Op: Merge, Names: []string{"柯潔", "胡榮華", "new"}}, {Op: Split, Names: []string{"Ke Jie"}}})
	if groups(NewBook(nil)) != before || !reflect.DeepEqual(known(), entries) {
		t.Error("one book changes another")
	}
}

func BenchmarkNewBook(b *testing.B) {
	for b.Loop() {
		NewBook(nil)
	}
}

func BenchmarkFind(b *testing.B) {
	book := NewBook(nil)
	library := make([]string, 10000)
	for i := range library {
		library[i] = fmt.Sprintf("Player %d", i)
	}
	library[77] = "胡榮華"
	for _, q := range []string{"Hu Ronghua", "Ronghua Hu", "Player 77"} {
		b.Run(q, func(b *testing.B) {
			for b.Loop() {
				book.Find(q, slices.Values(library))
			}
		})
	}
}
