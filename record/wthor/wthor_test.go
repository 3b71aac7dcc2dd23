package wthor

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/facts"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T) {
	recordtest.Golden(t, Format, "testdata/*.wtb")
	recordtest.Golden(t, Format, "testdata/alone/*.wtb")
}

func TestRoundTrip(t *testing.T) {
	recordtest.RoundTrips(t, Format, "testdata/*.wtb")
	recordtest.RoundTrips(t, Format, "testdata/alone/*.wtb")
}

func FuzzRead(f *testing.F) { recordtest.Fuzz(f, Format, "testdata/*.wtb") }

// FuzzNames: a table that is read is written back, and every name fits.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"WTH.JOU", "WTH.TRN", "broken.jou"} {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		names, err := ParseNames(data)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if _, err := names.WriteTo(&b); err != nil || !bytes.Equal(b.Bytes(), data) {
			t.Fatalf("written back it differs: %v", err)
		}
		for i := range names.Len() {
			if len([]rune(names.Name(i))) > tournamentSize {
				t.Fatalf("name %d is %q", i, names.Name(i))
			}
		}
		if names.Name(names.Len()) != "" || names.Name(-1) != "" {
			t.Fatal("there is a name outside of the table")
		}
	})
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestIdentical writes whole files back to the byte, with their oddities.
func TestIdentical(t *testing.T) {
	for _, name := range []string{"WTH_2031.wtb", "alone/solo_2030.wtb"} {
		src := recordtest.FileSource(t, filepath.Join("testdata", name))
		games, _ := recordtest.ReadAll(t, Format, src)
		var b bytes.Buffer
		if err := Format.(record.Writer).Write(&b, slices.Values(games)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), read(t, name)) {
			t.Errorf("%s changes:\n%x\n%x", name, read(t, name), b.Bytes())
		}
	}
	// The header of the odd file counts one game too few; all else stays.
	games, _ := recordtest.ReadAll(t, Format, recordtest.FileSource(t, "testdata/odd.wtb"))
	var b bytes.Buffer
	if err := Format.(record.Writer).Write(&b, slices.Values(games)); err != nil {
		t.Fatal(err)
	}
	want := read(t, "odd.wtb")
	want[4] = 4
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("odd.wtb changes:\n%x\n%x", want, b.Bytes())
	}
}

func TestTables(t *testing.T) {
	players, err := ParseNames(read(t, "WTH.JOU"))
	if err != nil || !players.Players() || players.Len() != 4 || players.Name(3) != "Okafor Chidi" {
		t.Errorf("players: %v, %v", players, err)
	}
	events, err := ParseNames(read(t, "WTH.TRN"))
	if err != nil || events.Players() || events.Len() != 2 || events.Name(1) != "Coupe d'été de Nulle Part" {
		t.Errorf("tournaments: %v, %v", events, err)
	}
	// Bytes behind the names do no harm.
	longer, err := ParseNames(append(read(t, "WTH.JOU"), 0, 0, 0))
	if err != nil || !longer.Players() || longer.Len() != 4 {
		t.Errorf("a longer table: %v", err)
	}
	for _, bad := range [][]byte{nil, read(t, "WTH_2031.wtb"), read(t, "broken.jou")} {
		if _, err := ParseNames(bad); err == nil {
			t.Errorf("a table of %d bytes is accepted", len(bad))
		}
	}
	for _, name := range []string{"WTH.JOU", "WTH.TRN"} {
		games, faults := recordtest.ReadAll(t, Format, recordtest.FileSource(t, "testdata/"+name))
		if len(games) != 0 || len(faults) != 0 {
			t.Errorf("%s gives %d games and %v", name, len(games), faults)
		}
	}
	if _, faults := recordtest.ReadAll(t, Format, recordtest.FileSource(t, "testdata/broken.jou")); len(faults) != 1 {
		t.Errorf("the broken table gives %v", faults)
	}
}

// TestBind reads games before their tables and names them afterwards.
func TestBind(t *testing.T) {
	want, _ := recordtest.ReadAll(t, Format, recordtest.FileSource(t, "testdata/WTH_2031.wtb"))
	games, _ := recordtest.ReadAll(t, Format, recordtest.Source("WTH_2031.wtb", read(t, "WTH_2031.wtb")))
	players, _ := ParseNames(read(t, "WTH.JOU"))
	events, _ := ParseNames(read(t, "WTH.TRN"))
	for i, g := range games {
		if len(g.Faults) != 2 || g.Facts.Players[0].Name != "" || g.Facts.Event != "" {
			t.Errorf("without tables: %v, %+v", g.Faults, g.Facts)
		}
		Bind(g, nil, nil)
		Bind(g, players, nil)
		Bind(g, nil, events)
		if a, b := recordtest.Dump(g), recordtest.Dump(want[i]); a != b {
			t.Errorf("bound later:\n%s\nat once:\n%s", a, b)
		}
	}
	other := &record.Game{Format: "sgf", Facts: facts.Facts{Event: "E"}}
	if Bind(other, players, events); other.Facts.Event != "E" || len(other.Faults) != 0 {
		t.Error("a game of another format is bound")
	}
}

func TestTableNames(t *testing.T) {
	for file, want := range map[string]string{
		"WTH_1977.wtb":                 "WTH_1977 WTH WTHOR",
		"a.zip!base/wthor/wth1998.wtb": "wth1998 wth WTHOR",
		`C:\data\2004.WTB`:             "2004 WTHOR WTH",
		"plain":                        "plain WTHOR WTH",
	} {
		if got := strings.Join(tableStems(file), " "); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

func TestSniff(t *testing.T) {
	for name, want := range map[string]int{"WTH_2031.wtb": 95, "WTH.JOU": 95, "WTH.TRN": 95, "alone/solo_2030.wtb": 95, "tiny.wtb": 15, "ten.wtb": 15} {
		if got := Format.Sniff(read(t, name), name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	if got := Format.Sniff(read(t, "WTH_2031.wtb"), "upload"); got != 80 {
		t.Errorf("without a name: %d", got)
	}
	for _, other := range []string{"", "(;GM[1]SZ[19];B[pd])", strings.Repeat("\x00", 4096), strings.Repeat("\x14", 4096), "XQ\x12"} {
		if got := Format.Sniff([]byte(other), "x.bin"); got != 0 {
			t.Errorf("%.20q: %d", other, got)
		}
	}
}

func TestReadError(t *testing.T) {
	src := recordtest.Source("x.wtb", nil)
	broken := errors.New("the disk is gone")
	src.Reader = io.MultiReader(bytes.NewReader(read(t, "WTH_2031.wtb")[:100]), iotest.ErrReader(broken))
	games, faults := recordtest.ReadAll(t, Format, src)
	if len(games) != 1 || len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("%d games, %v", len(games), faults)
	}
}

// writeSet writes games and their tables.
func writeSet(wtb, jou, trn io.Writer, games []*record.Game) error {
	files := map[string]io.Writer{"wtb": wtb, "jou": jou, "trn": trn}
	return format{}.WriteSet(func(ext string) (io.Writer, error) { return files[ext], nil }, slices.Values(games))
}

// TestWriteSet writes games that have names and no numbers.
func TestWriteSet(t *testing.T) {
	var games []*record.Game
	for _, g := range []struct{ black, white, event, moves string }{
		{"Anna", "Bert", "Cup", "f5 d6 c3"}, {"Bert", "Chidi", "Cup", "f5 f6 pass e6"}, {"", "Anna", "", "f5"},
	} {
		x := &record.Game{Kind: "othello", Format: "sgf"}
		x.Facts.Players[0].Name, x.Facts.Players[1].Name, x.Facts.Event = g.black, g.white, g.event
		x.Facts.Date = facts.Date{From: facts.Day{Year: 2031, Month: 5}, To: facts.Day{Year: 2031, Month: 6}}
		x.Facts.Result = facts.Result{Verdict: facts.SecondWon, Margin: 20}
		last := x.Add(0, 0, "")
		for _, m := range strings.Fields(g.moves) {
			last = x.Add(last, 0, m)
		}
		games = append(games, x)
	}
	var wtb, jou, trn bytes.Buffer
	if err := writeSet(&wtb, &jou, &trn, games); err != nil {
		t.Fatal(err)
	}
	src := recordtest.Source("X.wtb", wtb.Bytes())
	src.Sibling = func(name string) (*record.Source, error) {
		switch name {
		case "X.jou":
			return recordtest.Source(name, jou.Bytes()), nil
		case "X.trn":
			return recordtest.Source(name, trn.Bytes()), nil
		}
		return nil, os.ErrNotExist
	}
	back, faults := recordtest.ReadAll(t, Format, src)
	if len(back) != 3 || len(faults) != 0 {
		t.Fatalf("%d games, %v", len(back), faults)
	}
	for i, g := range back {
		w := games[i].Facts
		if g.Facts.Players != w.Players || g.Facts.Event != w.Event || g.Facts.Result.Margin != 20 || g.Facts.Date.From.Year != 2031 || len(g.Faults) != 0 {
			t.Errorf("game %d: %+v, %v", i, g.Facts, g.Faults)
		}
		if g.Tag(tagEmpties) != "0" || g.Tag(tagTheory) != "22" {
			t.Errorf("game %d: tags %v", i, g.Tags)
		}
	}
	if got := recordtest.Tree(back[1]); strings.Contains(got, "pass") || back[1].Moves() != 3 {
		t.Errorf("the pass is stored: %s", got)
	}
	if got := Format.Sniff(wtb.Bytes(), "x"); got != 80 {
		t.Errorf("the file it wrote is sniffed as %d", got)
	}
}

// TestNumbersStay: games of one edition keep their numbers when they are written with
// tables, which name all of them; others are numbered afresh.
func TestNumbersStay(t *testing.T) {
	data := synthetic(300)
	games, _ := recordtest.ReadAll(t, Format, tabled(data))
	var wtb, jou, trn bytes.Buffer
	if err := writeSet(&wtb, &jou, &trn, games); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(wtb.Bytes(), data) {
		t.Error("the game file is not the one that was read")
	}
	players, err := ParseNames(jou.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	events, err := ParseNames(trn.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range games {
		black, _ := strconv.Atoi(g.Tag(tagBlack))
		event, _ := strconv.Atoi(g.Tag(tagTournament))
		if name := g.Facts.Players[0].Name; name == "" || players.Name(black) != name || events.Name(event) != g.Facts.Event {
			t.Fatalf("game %d: player %d is %q, was %q", i, black, players.Name(black), name)
		}
	}
	other := *games[0] // one number with two names is not of one table
	other.Facts.Players[0].Name = "Somebody New"
	for _, b := range []*bytes.Buffer{&wtb, &jou, &trn} {
		b.Reset()
	}
	if err := writeSet(&wtb, &jou, &trn, append(slices.Clone(games), &other)); err != nil {
		t.Fatal(err)
	}
	if players, err = ParseNames(jou.Bytes()); err != nil || players.Len() != 3 {
		t.Errorf("afresh: %d names, %v", players.Len(), err)
	}
}

func TestInexpressible(t *testing.T) {
	plain := func(change func(g *record.Game)) iter.Seq[*record.Game] {
		g := &record.Game{Kind: "othello", Format: "sgf"}
		g.Facts.Result = facts.Result{Verdict: facts.Drawn}
		g.Add(g.Add(0, 0, ""), 0, "f5")
		change(g)
		return slices.Values([]*record.Game{g})
	}
	for want, change := range map[string]func(g *record.Game){
		"a game of renju":         func(g *record.Game) { g.Kind = "renju" },
		"a board of 6x6":          func(g *record.Game) { g.Variant = "6x6" },
		"a start position":        func(g *record.Game) { g.Start = "64 X" },
		"a variation":             func(g *record.Game) { g.Add(0, 0, "d3") },
		"a comment":               func(g *record.Game) { g.Nodes[1].More().Comment = "!" },
		"a set-up":                func(g *record.Game) { g.Nodes[0].More().Turn = record.Second },
		"the property LB":         func(g *record.Game) { g.Nodes[1].More().Props = []record.Prop{{Name: "LB"}} },
		`the move "i9"`:           func(g *record.Game) { g.Nodes[1].Move = "i9" },
		"result without a number": func(g *record.Game) { g.Facts.Result = facts.Result{Verdict: facts.FirstWon, How: facts.Resign} },
		`"Anna" without a table`:  func(g *record.Game) { g.Facts.Players[1].Name = "Anna" },
		"a game between 2030 and": func(g *record.Game) { g.Facts.Date.From.Year, g.Facts.Date.To.Year = 2030, 2031 },
		"a node without a move":   func(g *record.Game) { g.Nodes[1].Move = ""; g.Nodes[1].More().Comment = "x" },
		"more than 60 moves": func(g *record.Game) {
			last := int32(1)
			for range 60 {
				last = g.Add(last, 0, "a1")
			}
		},
		"the move \"56\"": func(g *record.Game) { g.Nodes[1].Move = "56" },
	} {
		err := Format.(record.Writer).Write(io.Discard, plain(change))
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for want, change := range map[string]func(g *record.Game){
		"not in Latin-1": func(g *record.Game) { g.Facts.Players[0].Name = "安娜" },
		"longer than 19": func(g *record.Game) { g.Facts.Players[0].Name = strings.Repeat("x", 20) },
		"longer than 25": func(g *record.Game) { g.Facts.Event = strings.Repeat("x", 26) },
	} {
		err := writeSet(io.Discard, io.Discard, io.Discard, slices.Collect(plain(change)))
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestCarriedTheory keeps a theoretical score that went through another format.
func TestCarriedTheory(t *testing.T) {
	g := &record.Game{Kind: "othello", Format: "ggf", Tags: []record.Tag{{Name: tagTheory, Value: "37"}, {Name: tagEmpties, Value: "24"}}}
	g.Facts.Result = facts.Result{Verdict: facts.FirstWon, Margin: 2}
	g.Add(g.Add(0, 0, ""), 0, "f5")
	var wtb bytes.Buffer
	if err := writeSet(&wtb, io.Discard, io.Discard, []*record.Game{g}); err != nil {
		t.Fatal(err)
	}
	games, _ := recordtest.ReadAll(t, Format, recordtest.Source("x.wtb", wtb.Bytes()))
	if len(games) != 1 || games[0].Tag(tagDiscs) != "33" || games[0].Tag(tagTheory) != "37" || games[0].Tag(tagEmpties) != "24" {
		t.Errorf("%v", games[0].Tags)
	}
}

// TestEditions brings games together that were read with different tables, or
// with none.
func TestEditions(t *testing.T) {
	load := func(change func(g *record.Game)) []*record.Game {
		games, _ := recordtest.ReadAll(t, Format, recordtest.FileSource(t, "testdata/WTH_2031.wtb"))
		for _, g := range games {
			change(g)
		}
		return games
	}
	none := func() []*record.Game {
		games, _ := recordtest.ReadAll(t, Format, recordtest.Source("x.wtb", read(t, "WTH_2031.wtb")))
		return games
	}
	same := load(func(*record.Game) {})
	other := load(func(g *record.Game) {
		for side := range g.Facts.Players {
			if p := &g.Facts.Players[side]; p.Name != "" {
				p.Name = "Another " + p.Name[:3]
			}
		}
	})
	moved := load(func(g *record.Game) { g.Tags[0].Value, g.Tags[1].Value = "9", "8" })
	later := none()
	for _, g := range later {
		for i := range g.Tags {
			if g.Tags[i].Name == tagCreated {
				g.Tags[i].Value = "2032-01-01"
			}
		}
	}
	for _, c := range []struct {
		name       string
		a, b       []*record.Game
		write, set string // part of the error; "" for none
	}{
		{"one edition", same, same, "", ""},
		{"other names", same, other, "of different tables", ""},
		{"other numbers", same, moved, "of different tables", ""},
		{"no names", none(), none(), "", ""},
		{"no names, another date", none(), later, "files of different dates", "files of different dates"},
		{"names and none", same, none(), "", "whose name is not known"},
		{"none and names", none(), same, "", "beside numbers"},
	} {
		games := slices.Concat(c.a, c.b)
		var wtb, jou, trn bytes.Buffer
		for want, err := range map[*string]error{
			&c.write: Format.(record.Writer).Write(io.Discard, slices.Values(games)),
			&c.set:   writeSet(&wtb, &jou, &trn, games),
		} {
			if *want == "" && err != nil || *want != "" && (!errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), *want)) {
				t.Errorf("%s: %v, want %q", c.name, err, *want)
			}
		}
		if c.set != "" {
			if wtb.Len()+jou.Len()+trn.Len() > 0 {
				t.Errorf("%s: something is written", c.name)
			}
			continue
		}
		src := recordtest.Source("X.wtb", wtb.Bytes())
		src.Sibling = func(name string) (*record.Source, error) {
			data := jou.Bytes()
			if name == "X.trn" {
				data = trn.Bytes()
			}
			if len(data) == 0 || name != "X.jou" && name != "X.trn" {
				return nil, os.ErrNotExist
			}
			return recordtest.Source(name, data), nil
		}
		back, _ := recordtest.ReadAll(t, Format, src)
		if len(back) != len(games) {
			t.Fatalf("%s: %d games, want %d", c.name, len(back), len(games))
		}
		for i, g := range back {
			if g.Facts != games[i].Facts || recordtest.Tree(g) != recordtest.Tree(games[i]) || len(g.Faults) != len(games[i].Faults) {
				t.Errorf("%s: game %d: %+v, want %+v", c.name, i, g.Facts, games[i].Facts)
			}
		}
	}
}

// synthetic returns a file of n games of 60 moves.
func synthetic(n int) []byte {
	h := header{games: uint32(n), year: 2031, size: 8, empties: 24, created: [4]byte{20, 31, 1, 1}}
	data := h.append(nil)
	for i := range n {
		rec := make([]byte, gameSize)
		binary.LittleEndian.PutUint16(rec[2:], uint16(i%4000))
		binary.LittleEndian.PutUint16(rec[4:], uint16(i*7%4000))
		rec[6], rec[7] = byte(i%65), 32
		k := movesAt
		for b, s := range squares {
			if s != "" && k < gameSize && b != 44 && b != 45 && b != 54 && b != 55 {
				rec[k] = byte(b)
				k++
			}
		}
		data = append(data, rec...)
	}
	return data
}

// tabled returns a source of games with tables beside it.
func tabled(data []byte) *record.Source {
	players := header{names: 4000, created: [4]byte{20, 31, 1, 1}}
	events := header{names: 1}
	src := recordtest.Source("x.wtb", data)
	src.Sibling = func(name string) (*record.Source, error) {
		if strings.HasSuffix(name, ".jou") {
			return recordtest.Source(name, append(players.append(nil), bytes.Repeat([]byte("Somebody Else\x00\x00\x00\x00\x00\x00\x00"), 4000)...)), nil
		}
		return recordtest.Source(name, append(events.append(nil), append([]byte("Cup"), make([]byte, 23)...)...)), nil
	}
	return src
}

// TestAllocations keeps reading cheap: three allocations a game.
func TestAllocations(t *testing.T) {
	const n = 6000
	small, large := synthetic(60), synthetic(60+n)
	count := func(data []byte) float64 {
		return testing.AllocsPerRun(3, func() {
			for g, err := range Format.Read(tabled(data)) {
				if err != nil || len(g.Faults) > 0 {
					t.Fatal(err, g.Faults)
				}
			}
		})
	}
	// The texts of numbers are made once a file.
	if per := (count(large) - count(small)) / n; per > 3.7 {
		t.Errorf("%.2f allocations a game", per)
	}
}

func BenchmarkRead(b *testing.B) {
	const n = 6000
	data := synthetic(n)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for g, err := range Format.Read(tabled(data)) {
			if err != nil || len(g.Faults) > 0 {
				b.Fatal(err, g.Faults)
			}
		}
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "games/s")
}
