package record_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
	"qipu/record/recordtest"
	"qipu/sample"
)

// stored returns a record as it comes back from its stored form: without Raw and
// offsets.
func stored(g *record.Game) *record.Game {
	t := *g
	t.Raw = nil
	t.Nodes = append([]record.Node(nil), g.Nodes...)
	for i := range t.Nodes {
		t.Nodes[i].Offset = 0
	}
	return &t
}

// checkCodec checks the law of the codec on a record.
func checkCodec(t testing.TB, g *record.Game) {
	t.Helper()
	data := record.AppendGame(nil, g)
	got, err := record.DecodeGame(data)
	if err != nil {
		t.Fatalf("%s, game %d: %v", g.Place.File, g.Place.Number, err)
	}
	if want := stored(g); !reflect.DeepEqual(got, want) {
		t.Fatalf("%s, game %d comes back as\n%s\nwant\n%s", g.Place.File, g.Place.Number, recordtest.Dump(got), recordtest.Dump(want))
	}
}

// annotated is a record that has something of everything.
func annotated() *record.Game {
	g := &record.Game{
		Kind: "weiqi", Variant: "9x9", Start: "9/9/9/9/4X4/9/9/9/9 O", Notation: "sgf", Format: "sgf", Encoding: "gb18030", Guessed: true,
		Tags: []record.Tag{{Name: "PB", Value: "秀策"}, {Name: "PW", Value: "幻庵因碩"}, {Name: "PB", Value: ""}},
		Facts: facts.Facts{
			Players: [2]facts.Player{
				{Name: "秀策", Rank: facts.Rank{Grade: 4, Scale: 'd'}, Team: "本因坊"},
				{Name: "幻庵因碩", Rank: facts.Rank{Grade: 8, Scale: 'd'}, Rating: -7},
			},
			Event: "the ear-reddening game", Round: "2", Place: "大坂",
			Date:   facts.Date{From: facts.Day{Year: 1846, Month: 9, Day: 11}, To: facts.Day{Year: 1846, Month: 9}, Approx: true},
			Result: facts.Result{Verdict: facts.FirstWon, Margin: 2.5, How: facts.Count},
			Komi:   facts.Komi{Half: -1, Known: true}, Handicap: 2, Ruleset: "japanese", Opening: "秀策流", Code: "C21", Source: "a book", Author: "x", Time: "none",
		},
		Place: record.Place{File: "a.tar.gz!b.sgf", Offset: 1 << 40, Line: 12, Number: 3},
	}
	parseTree(g, "1:aa 2:dd (2:ee 1:ff (1:tt)) (3:a-long-move 1:炮二平五)")
	g.Nodes[0].More().Setup = []record.Put{{Piece: 1, Point: "cc"}, {Piece: board.Empty, Point: ""}}
	g.Nodes[1].More().Comment = strings.Repeat("耳赤", 30)
	g.Nodes[2].Extra = &record.Extra{Turn: -3}
	g.Nodes[4].Extra = &record.Extra{Turn: record.Second, Props: []record.Prop{{Name: "LB", Values: []string{"aa:1", ""}}, {Name: "", Values: nil}}}
	g.Nodes[5].Extra = new(record.Extra)
	g.Fault(record.Marked, record.KindIllegal, 127, "no such move")
	g.Faults = append(g.Faults, record.Fault{Severity: record.Note, Place: record.Place{File: "elsewhere", Line: -1}})
	return g
}

// unordered is the same tree with its nodes in another order.
func unordered() *record.Game {
	g := annotated()
	g.Nodes = g.Nodes[:1]
	g.Nodes[0].Child = 0
	a := g.Add(0, record.First, "aa")
	b := g.Add(0, record.First, "bb")
	g.Add(a, record.Second, "dd")
	g.Add(b, record.Second, "ee")
	return g
}

func TestCodec(t *testing.T) {
	for name, g := range map[string]*record.Game{
		"nothing":   {},
		"root":      {Nodes: make([]record.Node, 1)},
		"annotated": annotated(),
		"unordered": unordered(),
		"odd numbers": {
			Facts: facts.Facts{Handicap: math.MinInt, Result: facts.Result{Margin: math.Copysign(0, -1)}, Komi: facts.Komi{Half: math.MaxInt}},
			Place: record.Place{Offset: math.MaxInt64}, Nodes: []record.Node{{Side: -128}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			checkCodec(t, g)
			prefix := []byte("kept")
			if got := record.AppendGame(prefix, g); !bytes.Equal(got[:4], prefix) || !bytes.Equal(got[4:], record.AppendGame(nil, g)) {
				t.Error("what is appended depends on what was there")
			}
		})
	}
}

// fill sets everything below v to something that is not zero.
func fill(v reflect.Value, next *int) {
	*next++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), next)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), next)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), next)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), next)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *next))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(*next) / 2)
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int8:
		v.SetInt(int64(*next % 100))
	case reflect.Uint8:
		v.SetUint(2)
	default:
		panic("a field of a new kind: " + v.Kind().String())
	}
}

// TestCodecFields fails when a record has a field that the codec forgets.
func TestCodecFields(t *testing.T) {
	g, next := new(record.Game), 0
	fill(reflect.ValueOf(g).Elem(), &next)
	n := &g.Nodes[0]
	n.Parent, n.Child, n.Next = 0, 0, 0
	checkCodec(t, g)
}

// TestCodecVersions reads what earlier versions wrote. The files never change; a
// new version adds its own.
func TestCodecVersions(t *testing.T) {
	for name, want := range map[string]*record.Game{"v1-annotated": annotated(), "v1-unordered": unordered()} {
		text, err := os.ReadFile("testdata/codec/" + name + ".hex")
		if err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(strings.Join(strings.Fields(string(text)), ""))
		if err != nil {
			t.Fatal(err)
		}
		got, err := record.DecodeGame(data)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%s", name, err, recordtest.Dump(got))
		}
		if now := record.AppendGame(nil, want); now[0] == data[0] && !bytes.Equal(now, data) {
			t.Errorf("%s: the form has changed, but not its version:\n%x", name, now)
		}
	}
}

// TestCodecDamage cuts records off and changes their bytes.
func TestCodecDamage(t *testing.T) {
	for _, g := range []*record.Game{annotated(), unordered()} {
		data := record.AppendGame(nil, g)
		for i := range data {
			if _, err := record.DecodeGame(data[:i]); !errors.Is(err, record.ErrDamaged) {
				t.Fatalf("the first %d bytes: %v", i, err)
			}
			for bit := range 8 {
				bad := bytes.Clone(data)
				bad[i] ^= 1 << bit
				checkAnything(t, bad)
			}
		}
		if _, err := record.DecodeGame(append(data, 0)); !errors.Is(err, record.ErrDamaged) {
			t.Errorf("a byte too many: %v", err)
		}
		data[0] = 2
		if _, err := record.DecodeGame(data); err == nil || errors.Is(err, record.ErrDamaged) {
			t.Errorf("a version to come: %v", err)
		}
	}
	circle := unordered()
	circle.Nodes[3].Next = 3
	if _, err := record.DecodeGame(record.AppendGame(nil, circle)); !errors.Is(err, record.ErrDamaged) {
		t.Errorf("a circle: %v", err)
	}
}

// checkAnything checks the laws for any data: no panic, and what comes back is a
// record like any other.
func checkAnything(t *testing.T, data []byte) {
	t.Helper()
	g, err := record.DecodeGame(data)
	if err != nil {
		return
	}
	if len(g.Nodes) > 0 {
		g.Moves() // ends
	}
	first := record.AppendGame(nil, g)
	again, err := record.DecodeGame(first)
	if err != nil || !bytes.Equal(record.AppendGame(nil, again), first) {
		t.Errorf("%x comes back as something that does not come back (%v)", data, err)
	}
}

// FuzzDecodeGame states the laws of DecodeGame for any data.
func FuzzDecodeGame(f *testing.F) {
	for _, g := range []*record.Game{{}, annotated(), unordered()} {
		f.Add(record.AppendGame(nil, g))
	}
	f.Fuzz(checkAnything)
}

// FuzzCodec states that any tree comes back, in whatever order its nodes are.
func FuzzCodec(f *testing.F) {
	f.Add(uint64(1), "move", uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, text string, reach uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		g := annotated()
		for range r.IntN(60) {
			n := len(g.Nodes)
			part := func() string { return text[:r.IntN(len(text)+1)] }
			i := g.Add(int32(max(0, n-1-r.IntN(int(reach)+1))), record.Side(r.IntN(4)-1), part())
			if r.IntN(3) == 0 {
				x := g.Nodes[i].More()
				x.Comment, x.Turn = part(), record.Side(r.IntN(256)-128)
				for range r.IntN(3) {
					x.Setup = append(x.Setup, record.Put{Piece: board.Piece(r.IntN(256)), Point: part()})
					x.Props = append(x.Props, record.Prop{Name: part(), Values: []string{part(), part()}})
				}
			}
		}
		checkCodec(t, g)
	})
}

// TestCodecSamples stores every sample game, of every format.
func TestCodecSamples(t *testing.T) {
	games := samples(t)
	for _, g := range games {
		checkCodec(t, g)
	}
	if len(games) < 20 {
		t.Errorf("only %d games", len(games))
	}
}

// samples reads the sample games.
func samples(t testing.TB) (games []*record.Game) {
	t.Helper()
	formats := builtin.Formats()
	err := fs.WalkDir(sample.Files(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sample.Files(), name)
		if err != nil {
			return err
		}
		f := record.Detect(formats, data[:min(len(data), record.SniffLen)], name)
		if f == nil {
			return nil // a name table
		}
		list, _ := recordtest.ReadAll(t, f, recordtest.Source(name, data))
		games = append(games, list...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// realGames are archives of all games and many formats.
var realGames = []string{
	"odd/odd.tar.gz", "go/go-small-boards.tar.gz", "go-testsets/regression.tar.gz", "xiangqi/xiangqi-positions.tar.gz",
	"xiangqi/xiangqi-formats.tar.gz", "renju/renju-formats.tar.gz", "renju/renju-games.tar.gz",
}

// moreRealGames are the large ones, for the full scale.
var moreRealGames = []string{
	"go/go-pro-6300.tar.gz", "go/go-kgs6d.tar.gz", "go/go-ai.tar.gz", "go/go-tom9d.tar.gz", "go/go-tygem9d.tar.gz",
	"othello/wthor.tar.gz", "othello/othello-positions.tar.gz", "xiangqi/xiangqi-games.tar.gz",
}

// corpus is what there is where the real games are not.
var corpus = []string{
	"odd/odd.tar.gz", "go/go-small-boards.tar.gz", "go/go-pro-6300.tar.gz", "othello/wthor.tar.gz", "othello/othello-positions.tar.gz",
	"xiangqi/xiangqi-games.tar.gz", "xiangqi/xiangqi-formats.tar.gz", "renju/renju-games.tar.gz", "renju/renju-formats.tar.gz",
}

// eachReal plays the real games with their changes.
func eachReal(t *testing.T, check func(t *testing.T, p *record.Played)) {
	list := realGames
	switch {
	case !testkit.Shared():
		list = corpus
	case testkit.Full():
		list = append(list, moreRealGames...)
	}
	for _, archive := range list {
		t.Run(archive, func(t *testing.T) {
			o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Trace: true, Sink: sinkFunc(func(p *record.Played) { check(t, p) })}
			if report, err := ingest.Run(t.Context(), o, testkit.Games(t, archive)); err != nil || report.Games == 0 {
				t.Fatal(report, err)
			}
		})
	}
}

func TestRealCodec(t *testing.T) {
	eachReal(t, func(t *testing.T, p *record.Played) { checkCodec(t, p.Game) })
}

// plainGame is a game of Go as servers write it.
func plainGame() *record.Game {
	g := &record.Game{Kind: "weiqi", Notation: "sgf", Format: "sgf", Encoding: "utf-8", Place: record.Place{File: "game.sgf", Number: 1, Line: 1}}
	for _, tag := range []string{"FF 4", "GM 1", "SZ 19", "PB black player", "PW white player", "BR 9d", "WR 9d", "KM 6.5", "RE B+2.5", "DT 2020-02-02", "EV a tournament", "RO 3"} {
		name, value, _ := strings.Cut(tag, " ")
		g.Tags = append(g.Tags, record.Tag{Name: name, Value: value})
	}
	g.Facts = facts.Facts{
		Players: [2]facts.Player{{Name: "black player", Rank: facts.Rank{Grade: 9, Scale: 'd'}}, {Name: "white player", Rank: facts.Rank{Grade: 9, Scale: 'd'}}},
		Event:   "a tournament", Round: "3", Date: facts.ParseDate("2020-02-02"), Komi: facts.Komi{Half: 13, Known: true},
		Result: facts.Result{Verdict: facts.FirstWon, Margin: 2.5, How: facts.Count},
	}
	at := g.Add(0, record.Unstated, "")
	for i := range 210 {
		at = g.Add(at, record.Side(1+i%2), string([]byte{'a' + byte(i*7%19), 'a' + byte(i/19)}))
	}
	return g
}

// TestCodecSize holds what a plain move costs, and that writing takes no memory.
func TestCodecSize(t *testing.T) {
	g := plainGame()
	data := record.AppendGame(nil, g)
	long := len(data)
	g.Nodes = g.Nodes[:len(g.Nodes)-100]
	g.Nodes[len(g.Nodes)-1].Child = 0
	if short := len(record.AppendGame(nil, g)); long-short != 301 { // the number of nodes is a byte longer
		t.Errorf("100 moves take %d bytes, want 301", long-short)
	}
	if n := testing.AllocsPerRun(100, func() { data = record.AppendGame(data[:0], g) }); n > 0 {
		t.Errorf("AppendGame takes memory %v times", n)
	}
}

func BenchmarkAppendGame(b *testing.B) {
	g := plainGame()
	var data []byte
	b.ReportAllocs()
	for b.Loop() {
		data = record.AppendGame(data[:0], g)
	}
	b.ReportMetric(float64(len(data)), "bytes")
}

func BenchmarkDecodeGame(b *testing.B) {
	data := record.AppendGame(nil, plainGame())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := record.DecodeGame(data); err != nil {
			b.Fatal(err)
		}
	}
}
