package relation

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"qipu/game"
	"qipu/game/othello"
	"qipu/game/xiangqi"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
)

// sample is the pattern of the package comment.
const sample = `// A comment.
pattern cannon-behind-horse
game     xiangqi
kind     mate
name     Cannon behind horse | 馬後炮 | 马后炮 | 馬後砲~ | 마후포~
vi       Mã hậu pháo
alias    馬后炮 | ma hou pao
source   Paper 003
note     The horse shuts the king in.
let      c = our cannon
let      h = our horse
where    mated
where    c checks and between(k, c) = 1 and h between k c
where    distance(k, h) = 2

check cannon-behind-horse yes
fen      3k5/9/3N5/9/3C5/9/9/9/9/4K4 b
roles    c=d5 h=d7
why      the plain form

check cannon-behind-horse no
fen      3k5/9/3N5/3N5/3C5/9/9/9/9/4K4 b
why      two screens
`

func parse(t testing.TB, text string) *syntax.File {
	t.Helper()
	f := syntax.Parse("a.patterns", []byte(text))
	if len(f.Faults) > 0 {
		t.Fatal(f.Faults[0])
	}
	return f
}

func TestParse(t *testing.T) {
	f := parse(t, sample)
	p := f.Patterns[0]
	if p.Names.Hant != "馬後炮" || p.Names.Ko != "마후포" || p.Coined != syntax.Japanese|syntax.Korean || p.Kind != syntax.Mate || p.Line != 2 {
		t.Errorf("the names are read as %+v, coined %b, kind %s, line %d", p.Names, p.Coined, p.Kind, p.Line)
	}
	if !slices.Equal(p.Aliases, []string{"馬后炮", "ma hou pao"}) || !slices.Equal(p.Roles(), []string{"c", "h"}) {
		t.Errorf("aliases %q, roles %q", p.Aliases, p.Roles())
	}
	want := strings.TrimPrefix(sample, "// A comment.\n")
	if got := string(f.AppendTo(nil)); got != want {
		t.Errorf("printed as\n%s\nwant\n%s", got, want)
	}
}

// Errors name the line, the column and what to write instead.
func TestFaults(t *testing.T) {
	const head = "pattern p\n"
	for _, c := range []struct{ text, want string }{
		{"let c = our cannon\n", `a:1:1: "let" stands before the first block: begin it with pattern or check and an id`},
		{"pattern P!\n", `a:1:1: pattern without an id: write lower-case letters, digits and hyphens behind it`},
		{head, `a:1: p says nothing of the board: add let and where`},
		{head + "wher mated\n", `a:2:1: "wher" is no field of a pattern: did you mean where?`},
		{head + "game go\n", `a:2:6: no patterns of pieces are known for the game "go": write one of xiangqi, chess`},
		{head + "kind mat\nwhere mated\n", `a:2:6: "mat" is no kind: did you mean mate?`},
		{head + "kind mate\nkind mate\nwhere mated\n", `a:3:1: the field kind stands in line 2 already: make one of both`},
		{head + "let c = our canon\n", `a:2:13: "canon" is no kind of piece: did you mean cannon?`},
		{head + "let c = cannon\n", `a:2:9: "cannon" does not say whose pieces: write one of our, their, any`},
		{head + "let k = our cannon\n", `a:2:5: "k" means something else: choose another, such as c1`},
		{head + "let c = our cannon on file 10\n", `a:2:28: "10" is no number of a line: write 1 to 9`},
		{head + "let c = our cannon on 5.11\n", `a:2:23: 5.11 is no point: write FILE.RANK, files 1 to 9 and ranks 1 to 10`},
		{head + "let c = our cannon\nwhere c cheks\n", `a:3:9: "cheks" says nothing of a piece: did you mean checks?`},
		{head + "let c = our cannon\nwhere d checks\n", `a:3:7: "d" begins no condition`},
		{head + "where matted\n", `a:2:7: "matted" begins no condition: did you mean mated?`},
		{head + "where mated mated\n", `a:2:13: "mated" is left over: join conditions by and, or, or write another line`},
		{head + "where between(k, g)\n", `a:2:20: the end of the line stands behind a number: compare the number by =, !=, <, <=, > or >=`},
		{head + "where lately 2: their horse\n", `a:2:17: only the owner's moves are looked at here: use early or last`},
		{head + "where last: our horse not before our horse\n", `a:2:23: "not" is left over: join conditions by and, or, or write another line`},
		{head + "let c = our cannon\nwhere c shuts\n", `a:3:14: the end of the line is no role of the pattern: write one of c, k, g`},
		{head + "where last: our horse to beside k\n", `a:2:33: the areas of moves name no roles, and "k" is one: write points, files or ranks`},
		{head + "where 馬 checks\n", `a:2:7: '馬' means nothing in a definition`},
		{head + "where file(k) = 12345\n", `a:2:17: numbers go up to 9999`},
		{head + "where rank(k) = 3..1\n", `a:2:18: ".." is left over: join conditions by and, or, or write another line`},
		{head + "name a|b|c|d|e|f\nwhere mated\n", `a:2:6: 6 names: write English | 繁體 | 简体 | 日本語 | 한국어`},
		{"check p maybe\n", `a:1: a check says yes or no behind the id: write check ID yes, or check ID no`},
		{"check p yes\nwhy so\n", `a:1: the check of p has no position: add fen, or moves`},
		{"check p yes\nfen x\nroles c:d5\n", `a:3:7: "c:d5" is no role on a point: write ROLE=POINT, such as c=d5`},
		{head + "where " + strings.Repeat("(", 100) + "mated", `the definition is too large: make several of it`},
	} {
		f := syntax.Parse("a", []byte(c.text))
		if len(f.Faults) == 0 {
			t.Errorf("%q is read without a fault", c.text)
			continue
		}
		if got := f.Faults[0].Error(); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s\nwant %s", c.text, got, c.want)
		}
	}
}

// A fault in one block leaves the others.
func TestFaultsLeaveTheRest(t *testing.T) {
	f := syntax.Parse("a", []byte("pattern a\nwhere mated\n\npattern b\nwhere nonsense\n\npattern c\nwhere stalemated\n"))
	if len(f.Patterns) != 2 || len(f.Faults) != 1 || f.Patterns[1].ID != "c" {
		t.Errorf("%d patterns and %d faults, want 2 and 1", len(f.Patterns), len(f.Faults))
	}
	if f := syntax.Parse("a", []byte(strings.Repeat("nonsense\n", 5000))); len(f.Faults) != syntax.MaxFaults {
		t.Errorf("%d faults, want %d", len(f.Faults), syntax.MaxFaults)
	}
	if f := syntax.Parse("a", make([]byte, syntax.MaxFile+1)); len(f.Faults) != 1 {
		t.Errorf("a file that is too large has %d faults", len(f.Faults))
	}
}

// The print of a pattern is that of its definition alone.
func TestPrint(t *testing.T) {
	base := parse(t, sample).Patterns[0].Print()
	for _, c := range []struct {
		from, to string
		same     bool
	}{
		{"馬後炮", "別名", true},
		{"note     The horse", "note     A horse", true},
		{"cannon-behind-horse\ngame", "another\ngame", true},
		{"where    mated", "where  mated", true},
		{"= 2", "= 3", false},
		{"let      h = our horse", "let      h = our horse on file 4", false},
		{"let      c", "mirror   no\nlet      c", false},
		{"let      c", "sides    first\nlet      c", false},
	} {
		f := parse(t, strings.Replace(sample, c.from, c.to, 1))
		if got := f.Patterns[0].Print() == base; got != c.same {
			t.Errorf("%q for %q: the print is the same: %v, want %v", c.to, c.from, got, c.same)
		}
	}
}

func TestBase(t *testing.T) {
	files, err := syntax.Read(fstest.MapFS{
		"a.patterns": {Data: []byte(sample)},
		"b.patterns": {Data: []byte("pattern cannon-behind-horse\nname Other | 別 | 别\nwhere mated\n\ncheck cannon-behind-horse no\nfen 3k5/9/9/9/9/9/9/9/9/4K4 b\n\npattern child\nparent cannon-behind-horse\nwhere mated and check\n")},
		"c.patterns": {Data: []byte("pattern orphan\nparent chil\nwhere mated\n\npattern loop\nparent loop\nwhere mated\n\npattern loop\nwhere mated\n")},
		"d.txt":      {Data: []byte("nonsense")},
	}, "x/")
	if err != nil {
		t.Fatal(err)
	}
	b := syntax.New(files...)
	if len(b.Patterns) != 4 || b.Patterns[0].Names.En != "Other" || len(b.ChecksOf("cannon-behind-horse")) != 1 {
		t.Errorf("%d patterns, the first is %q with %d checks: a later file replaces an earlier one", len(b.Patterns), b.Patterns[0].Names.En, len(b.ChecksOf("cannon-behind-horse")))
	}
	if list := casesOf(b, "cannon-behind-horse"); len(list) != 1 || list[0].ID != "child" {
		t.Errorf("the cases are %v", list)
	}
	var faults []string
	for _, f := range b.Faults {
		faults = append(faults, f.Error())
	}
	want := []string{
		"x/c.patterns:9: the pattern loop stands in line 5 already: take one of them out",
		"x/c.patterns:1: orphan has the parent chil, which there is not: did you mean child?",
		"x/c.patterns:5: loop is a case of itself, through its parents: take one of them out",
	}
	if !slices.Equal(faults, want) {
		t.Errorf("faults %q\nwant %q", faults, want)
	}
}

func TestFind(t *testing.T) {
	b := syntax.New(parse(t, sample))
	for _, name := range []string{"cannon-behind-horse", "Cannon Behind HORSE", "馬後炮", "马后炮", "Mã hậu pháo", "ma hau phao", "MA HOU PAO", "마후포"} {
		if list := b.Find(name); len(list) != 1 || list[0].ID != "cannon-behind-horse" {
			t.Errorf("%q finds %v", name, list)
		}
	}
	if list := b.Find("cannon"); len(list) != 0 {
		t.Errorf("a part of a name finds %v", list)
	}
	if near := b.Nearest("canon behind horse", 1); len(near) != 1 || near[0] != "cannon behind horse" {
		t.Errorf("the nearest name is %q", near)
	}
}

func TestLint(t *testing.T) {
	text := sample + `
check cannon-behind-horse yes
fen      3k5/9/3N5/3N5/3C5/9/9/9/9/4K4 b

check cannon-behind-horse no
fen      3k5/9/3N5/9/3C5/9/9/9/9/4K4 b

check cannon-behind-horse yes
fen      3k5/9/3N5/9/3C5/9/9/9/9/4K4 b
roles    c=d7

check cannon-behind-horse yes
fen      3k5/9/3N5/9/3C5/9/9/9/9/4K4 b
side     blue

check cannon-behind-horse yes
moves    h2e2 h2h3

check nothing yes
fen      3k5/9/9/9/9/9/9/9/9/4K4 b

pattern other
name     Other | 馬後炮
where    mated
`
	var got []string
	for _, f := range Lint(syntax.New(parse(t, text)), xiangqi.Standard) {
		got = append(got, f.String())
	}
	want := []string{
		`a.patterns:2: warning: cannon-behind-horse has 5 checks that match and 2 that do not: write 5 of each`,
		`a.patterns:45: warning: other has no name in simplified Chinese, Japanese, Korean, Vietnamese: add it`,
		`a.patterns:45: warning: other does not say where it is from: add source`,
		`a.patterns:45: warning: other has 0 checks that match and 0 that do not: write 5 of each`,
		`a.patterns:45: warning: other is called "馬後炮" like cannon-behind-horse: choose another name for one of them`,
		`a.patterns:25: error: the check of cannon-behind-horse fails: the pattern does not stand there`,
		`a.patterns:28: error: the check of cannon-behind-horse fails: the pattern stands there and should not: of red c=d5 h=d7`,
		`a.patterns:31: error: the check of cannon-behind-horse fails: the pattern stands there otherwise: of red c=d5 h=d7`,
		`a.patterns:35: error: the check of cannon-behind-horse fails: "blue" is no side: write one of red, black`,
		`a.patterns:39: error: the check of cannon-behind-horse fails: xiangqi: move 2, "h2h3": no piece stands there: illegal move`,
		`a.patterns:42: error: the check of nothing fails: there is no pattern nothing`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A pattern that fails its check is told the line that is to blame.
func TestBlame(t *testing.T) {
	f := parse(t, strings.Replace(sample, "distance(k, h) = 2", "distance(k, h) = 3", 1))
	got := compile(t, f.Patterns).Fails(f.Checks[0])
	if want := "the pattern does not stand there, but would without: where distance(k, h) = 3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// To shut the king in is to be the only one that keeps it from a step, by reach or,
// of its own side, by standing there.
func TestShuts(t *testing.T) {
	f := parse(t, `pattern shuts
let x = any piece
where x shuts k

pattern protects
let x = our piece
let y = our piece
where x shuts y

pattern point
let x = our piece
where x shuts 5.10

pattern after
where last: our chariot after their piece to 5.9 took our chariot

pattern unprovoked
where last: our chariot not after their piece to 5.9 took our chariot
`)
	const taken = "4ka3/4a2R1/4b4/9/9/9/3RC4/9/9/3K5 w"
	var text strings.Builder
	for _, c := range []struct{ id, match, fen, moves, roles string }{
		{"shuts", "no", "3k5/9/3N5/9/3C5/9/9/9/9/4K4 b", "", "x=e0"}, // e9 is the king's
		{"shuts", "no", "3k5/9/3N5/9/3C5/9/9/9/9/4K4 b", "", "x=d7"}, // which the horse holds too
		{"shuts", "yes", "3k5/9/3N5/9/3C5/9/9/9/9/5K3 b", "", "x=d7"},
		{"shuts", "yes", "R2k5/1R7/9/9/9/9/9/9/9/5K3 b", "", "x=b8"},
		{"shuts", "yes", "R2k5/1R1n5/9/9/9/9/9/9/9/5K3 b", "", "x=a9"}, // e9 is on its line
		{"shuts", "no", "R2k5/1R1n5/9/9/9/9/9/9/9/5K3 b", "", "x=d8"},  // b8 would hold it
		{"shuts", "yes", "R2k5/3n5/9/9/9/9/9/9/9/5K3 b", "", "x=d8"},   // its own horse is in the way
		{"shuts", "no", "3k5/1C1N5/9/9/9/9/9/9/9/5K3 b", "", "x=d8"},   // the cannon protects it, over nothing
		{"protects", "yes", "3k5/3R5/9/4N4/9/9/9/9/9/5K3 b", "", "x=e6 y=d8"},
		{"protects", "no", "3k5/3R1R3/9/4N4/9/9/9/9/9/5K3 b", "", "x=e6 y=d8"},
		{"point", "yes", "3k5/9/9/9/9/9/9/9/9/4K4 b", "", "x=e0"},
		{"point", "no", "3k4R/9/9/9/9/9/9/9/9/4K4 b", "", ""},
		{"after", "yes", taken, "h8e8 f9e8 d3d9", ""},
		{"unprovoked", "no", taken, "h8e8 f9e8 d3d9", ""},
		{"unprovoked", "yes", taken, "h8e8", ""},
		{"after", "no", taken, "h8e8", ""},
	} {
		fmt.Fprintf(&text, "check %s %s\nfen %s\nmoves %s\nroles %s\n\n", c.id, c.match, c.fen, c.moves, c.roles)
	}
	s := compile(t, f.Patterns)
	for _, c := range parse(t, text.String()).Checks {
		if why := s.Fails(c); why != "" {
			t.Errorf("%s %v, %s %s %v: %s", c.ID, c.Match, c.FEN, c.Moves, c.Roles, why)
		}
	}
}

// Patterns of pieces are of one game.
func TestOtherGame(t *testing.T) {
	_, err := Compile(parse(t, sample).Patterns, othello.Standard)
	if err == nil || !strings.Contains(err.Error(), "not known for othello") {
		t.Errorf("compiled for another game: %v", err)
	}
}

// Without facts, and on boards that are none, what needs them is false.
func TestWithoutFacts(t *testing.T) {
	f := parse(t, `pattern stands
let a = our horse on file 4

pattern reaches
let a = our horse
where a reaches 5.10 or checkers >= 0 or check or needed >= 0

pattern mates
where mated or stalemated
`)
	s := compile(t, f.Patterns)
	setup, err := game.ParseSetup(xiangqi.Standard, "3k5/9/3N5/9/3C5/9/9/9/9/4K4 b")
	if err != nil {
		t.Fatal(err)
	}
	list := s.AppendMatches(nil, &pattern.View{Planes: setup.Board, Turn: game.Second})
	if len(list) != 1 || list[0].ID != "stands" {
		t.Errorf("found %v", list)
	}
	for _, v := range []*pattern.View{{}, {Planes: othello.Standard.Start().(game.Planar).Planes()}} {
		if list := s.AppendMatches(nil, v); len(list) != 0 {
			t.Errorf("found %v on no board of the game", list)
		}
		tr := s.NewTracker()
		tr.Reset(v)
		if tr.Holds(0, game.First) {
			t.Error("a pattern holds on no board of the game")
		}
	}
}

// A pattern that would take for ever is given up.
func TestTrials(t *testing.T) {
	var text strings.Builder
	text.WriteString("pattern p\n")
	for i := range syntax.MaxRoles - syntax.FirstRole {
		fmt.Fprintf(&text, "let r%d = any piece\n", i)
	}
	text.WriteString("where distance(r0, r9) = 0 and distance(r1, r8) = 0 or rank(r0) + rank(r1) + rank(r2) + rank(r3) + rank(r4) + rank(r5) + rank(r6) + rank(r7) + rank(r8) + rank(r9) = 1\n")
	s := compile(t, parse(t, text.String()).Patterns)
	if list := s.AppendMatches(nil, viewAt(xiangqi.Standard.Start(), nil, true)); len(list) != 0 {
		t.Errorf("found %v", list)
	}
}

// Following a game takes no memory.
func TestTrackerAllocates(t *testing.T) {
	s := compile(t, mixed(t, 20))
	tr := s.NewTracker()
	p := xiangqi.Standard.Start().(*xiangqi.Position)
	v := viewAt(p, nil, true)
	tr.Reset(v)
	list, err := game.ParseMoves(xiangqi.Standard, p, "h2e2 h9g7")
	if err != nil {
		t.Fatal(err)
	}
	for range list {
		p.Undo()
	}
	n := testing.AllocsPerRun(20, func() {
		tr.Reset(v)
		for _, m := range list {
			mv := pattern.Played{From: m.From(), To: m.To(), Piece: xiangqi.RedCannon}
			if m == list[1] {
				mv.Piece = xiangqi.BlackHorse
			}
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			tr.Play(mv, p.Turn(), p)
		}
		p.Undo()
		p.Undo()
	})
	if n > 0 {
		t.Errorf("%v allocations for two moves", n)
	}
}

// Whatever the bytes are: nothing panics, and what is printed reads back as the
// same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("pattern a\nlet x = any king or soldier on (file 1,3..5 but {5.1}) and reach k\nwhere early 3: our horse from 2.1 before their cannon or not (x is piece)\n"))
	f.Add([]byte("pattern a\nvi ~\nname ~|a ~~|\nwhere (1 + (2 - ply)) < count(board)\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := syntax.Parse("f", data)
		printed := file.AppendTo(nil)
		again := syntax.Parse("f", printed)
		if len(again.Faults) > 0 {
			t.Fatalf("%v\n%s", again.Faults[0], printed)
		}
		if got := again.AppendTo(nil); string(got) != string(printed) {
			t.Fatalf("printed\n%s\nis read as\n%s", printed, got)
		}
		for i, p := range file.Patterns {
			if p.Print() != again.Patterns[i].Print() {
				t.Fatalf("the print of %s differs", p.ID)
			}
		}
		if _, err := Compile(file.Patterns, xiangqi.Standard); err != nil {
			t.Fatal(err)
		}
	})
}
