package kifu_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/gif"
	"slices"
	"strings"
	"testing"

	"qipu/board/picture/pdf/pdftest"
	"qipu/builtin"
	"qipu/game"
	"qipu/record"
	"qipu/view/kifu"
)

// read plays the first game of a file.
func read(t testing.TB, format, text string) *record.Played {
	t.Helper()
	i := slices.IndexFunc(builtin.Formats(), func(f record.Format) bool { return f.Info().Name == format })
	for g, err := range builtin.Formats()[i].Read(&record.Source{Name: "game", Reader: strings.NewReader(text), Size: int64(len(text))}) {
		if err != nil {
			t.Fatal(err)
		}
		return record.NewReferee(builtin.Games()).Play(g)
	}
	t.Fatal("no game")
	return nil
}

// ko is a game with a ko, a pass, a set-up and comments.
const ko = `(;GM[1]SZ[9]PB[Anna]BR[2d]PW[名人]WR[9p]KM[6.5]EV[Spring]DT[2024-05-01]RE[W+R]C[A short game.]
;B[cc];W[cd];B[dd];W[ce];B[ed];W[de];B[dc]C[A wall];W[ee];B[gc];W[fd];B[bd];W[be];B[cb];W[ad];B[];W[bc];B[ac];W[bb];B[ab]
;AB[hh]AW[ii];B[hi];W[ih]C[結束])`

func pages(t *testing.T, p *record.Played, o kifu.Options) [][]string {
	t.Helper()
	var out bytes.Buffer
	if err := kifu.Write(&out, p, o); err != nil {
		t.Fatal(err)
	}
	list, err := pdftest.Text(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPages: header, every number, what has no place of its own and comments stand on the
// pages, in five languages.
func TestPages(t *testing.T) {
	p := read(t, "sgf", ko)
	for lang, words := range map[string]string{"en": "Komi", "zh-Hant": "貼目", "zh-Hans": "贴目", "ja": "コミ", "ko": "덤"} {
		all := slices.Concat(pages(t, p, kifu.Options{Language: lang})...)
		text := strings.Join(all, "")
		for _, want := range []string{"Anna 2d – 名人 9p", words + " 6.5", "Spring", "2024-05-01", "W+R", "A short game.", "7  A wall", "15 pass", "1–19", "20–21", "結束"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %q", lang, want, text)
			}
		}
		for n := 1; n <= 21; n++ {
			if n != 15 && !slices.Contains(all, fmt.Sprint(n)) {
				t.Errorf("%s: no number %d", lang, n)
			}
		}
	}
	if text := strings.Join(slices.Concat(pages(t, p, kifu.Options{NoComments: true})...), ""); strings.Contains(text, "A wall") {
		t.Error("comments that were not wanted")
	}
	if phone, paper := len(pages(t, p, kifu.Options{Phone: true, Every: 4})), len(pages(t, p, kifu.Options{})); phone < 5 || paper != 2 {
		t.Errorf("%d pages on a phone, %d of A4", phone, paper)
	}
}

// TestRepeated: a move onto a point that has a number stands below.
func TestRepeated(t *testing.T) {
	p := read(t, "sgf", `(;GM[1]SZ[5];B[bb];W[bc];B[cc];W[cd];B[dc];W[db];B[cb];W[da];B[ca];W[ab];B[ba];W[dd];B[ac];W[ad];B[bd];W[ed];B[aa];W[ec];B[ae];W[ea])`)
	if !p.Legal() {
		t.Fatalf("%+v", p.Marks)
	}
	text := strings.Join(slices.Concat(pages(t, p, kifu.Options{})...), "|")
	if strings.Count(text, "1–20") != 1 {
		t.Errorf("%q", text)
	}
	p = read(t, "sgf", `(;GM[1]SZ[5]AB[bb][ac][bd]AW[cb][dc][cd][ca]PL[B];B[cc];W[bc];B[ea];W[eb];B[cc])`)
	if text := strings.Join(slices.Concat(pages(t, p, kifu.Options{})...), "|"); !strings.Contains(text, "5 (1)") {
		t.Errorf("a ko taken back does not stand below: %q", text)
	}
}

// TestMoving: games in which pieces move have lists of moves with boards.
func TestMoving(t *testing.T) {
	p := read(t, "pgn", `[White "Paul Morphy"]
[Black "Duke Karl"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {A mistake.} 4. dxe5 Bxf3 5. Qxf3 dxe5 1-0
`)
	all := slices.Concat(pages(t, p, kifu.Options{Every: 4})...)
	text := strings.Join(all, " ")
	for _, want := range []string{"1. e4 e5 2. Nf3 d6", "3. d4 Bg4 4. dxe5 Bxf3", "5. Qxf3 dxe5", "3... Bg4  A mistake."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}

// TestEvery: every game of the program can be laid on pages and filmed.
func TestEvery(t *testing.T) {
	for _, r := range builtin.Games() {
		p := &record.Played{Game: &record.Game{Nodes: []record.Node{{}}}, Rules: r, Start: game.SetupOf(r.Start())}
		pos := r.Start()
		for range 30 {
			moves := pos.AppendMoves(nil)
			if len(moves) == 0 || pos.Outcome().Over() {
				break
			}
			m := moves[len(moves)/2]
			p.Steps = append(p.Steps, record.Step{Move: m, Side: pos.Turn()})
			if err := pos.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		if err := kifu.Write(&out, p, kifu.Options{}); err != nil {
			t.Errorf("%s: %v", r.Info().Name, err)
		}
		if _, err := pdftest.Text(out.Bytes()); err != nil {
			t.Errorf("%s: %v", r.Info().Name, err)
		}
	}
}

func TestFilm(t *testing.T) {
	p := read(t, "sgf", ko)
	var out bytes.Buffer
	if err := kifu.GIF(&out, p, kifu.Film{From: 2, To: 6, Width: 100, Delay: 20}); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&out)
	if err != nil || len(g.Image) != 5 || g.Delay[0] != 20 || g.Delay[4] != 60 {
		t.Errorf("%d frames, %v, %v", len(g.Image), g.Delay, err)
	}
	for _, f := range []kifu.Film{{From: 99, To: -1, Width: 100, Delay: 9}, {From: 3, To: 2, Width: 100, Delay: 9}, {From: -1, Width: 100, Delay: 9}, {Width: 5, Delay: 9}, {Width: 99999, Delay: 9}, {Width: 100}} {
		if err := kifu.GIF(&out, p, f); !errors.Is(err, kifu.ErrPart) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}
