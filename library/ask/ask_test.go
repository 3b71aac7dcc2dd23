package ask_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/library/ask"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/store"
	"qipu/store/storetest"
)

// askLibrary returns a library of made games with known headers.
func askLibrary(t *testing.T, games ...*record.Game) *qipu.Library {
	t.Helper()
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	for i, g := range games {
		added, err := l.Records().Add(t.Context(), referee.Play(g))
		if err != nil || added.Status != store.StatusNew {
			t.Fatalf("game %d: %+v, %v", i, added, err)
		}
	}
	return l
}

// xiangqiGame returns a game of Xiangqi by its moves.
func xiangqiGame(red, black, moves string) *record.Game {
	g := &record.Game{Kind: "xiangqi", Notation: "iccs"}
	g.Facts.Players[0].Name, g.Facts.Players[1].Name = red, black
	at := g.Add(0, record.Unstated, "")
	for _, m := range strings.Fields(moves) {
		at = g.Add(at, record.Unstated, m)
	}
	return g
}

func mustAsk(t *testing.T, l *qipu.Library, q ask.Question) *ask.Reply {
	t.Helper()
	r, err := l.Ask(t.Context(), &q)
	if err != nil {
		t.Fatalf("%s: %v", q.Text, err)
	}
	return r
}

// TestLoop goes the way of the paper: a board without a name is found, gets a
// name that describes it, is kept, renamed, and found by its names; one that is
// nowhere is offered as a fuzzy query.
//
//qipu:race
func TestLoop(t *testing.T) {
	// A chariot goes to the pawn rank and stands on the horse's head.
	press := "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 g6g5 h6g6"
	l := askLibrary(t,
		xiangqiGame("胡榮華", "楊官璘", press),
		xiangqiGame("柳大華", "胡荣华", press+" c6c5"),
		xiangqiGame("趙國榮", "呂欽", "h2e2 h9g7"))
	rows := slices.Repeat([]string{"*********"}, 10)
	rows[2], rows[3] = "******n**", "******R**"
	board := fmt.Sprintf("board:%q", strings.Join(rows, "/"))
	found := mustAsk(t, l, ask.Question{Text: board, Game: "xiangqi"})
	if found.Games != 2 || found.Saved != nil {
		t.Fatalf("%d games, saved %v", found.Games, found.Saved)
	}
	if found.Name != "三路俥壓7路馬" {
		t.Errorf("the board is called %q", found.Name)
	}
	if err := l.Search().Remember(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	again := mustAsk(t, l, ask.Question{Text: board, Game: "xiangqi"})
	if again.Saved == nil || !again.Saved.Auto || again.Saved.Found != 2 || again.Saved.Hits != found.Hits {
		t.Errorf("kept as %+v", again.Saved)
	}
	// By the name that describes it, in either script, as a word or as a name.
	for _, text := range []string{"三路俥壓7路馬", "named:三路俥壓7路馬", "named:三路车压7路马"} {
		if r := mustAsk(t, l, ask.Question{Text: text, Game: "xiangqi"}); r.Games != 2 {
			t.Errorf("%s: %d games", text, r.Games)
		}
	}
	// By a name of the user's own, with other conditions.
	if _, err := l.Search().Save(t.Context(), "壓馬", "a note", again); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"named:壓馬": 2, "named:压马 and black:胡榮華": 1, "not named:壓馬": 1, "named:壓馬 and result:draw": 0,
	} {
		if r := mustAsk(t, l, ask.Question{Text: text, Game: "xiangqi"}); r.Games != want {
			t.Errorf("%s: %d games, want %d", text, r.Games, want)
		}
	}
	if r := mustAsk(t, l, ask.Question{Text: board, Game: "xiangqi"}); r.Name != "壓馬" || r.Saved.Note != "a note" {
		t.Errorf("after naming: %q, %+v", r.Name, r.Saved)
	}
	// A query that names another, and one that would name itself.
	other := mustAsk(t, l, ask.Question{Text: "not named:壓馬", Game: "xiangqi"})
	if _, err := l.Search().Save(t.Context(), "no press", "", other); err != nil {
		t.Fatal(err)
	}
	if list, err := l.Search().Mentions(t.Context(), "压马"); err != nil || !slices.Equal(list, []string{"no press"}) {
		t.Errorf("named by %q (%v)", list, err)
	}
	if _, err := l.Search().Save(t.Context(), "壓馬", "", mustAsk(t, l, ask.Question{Text: `named:"no press"`, Game: "xiangqi"})); err == nil || !strings.Contains(err.Error(), "inside itself") {
		t.Errorf("a query that names itself: %v", err)
	}
	// What is stored is not believed once there are more games.
	added := xiangqiGame("A", "B", press+" i6i5")
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	if _, err := l.Records().Add(t.Context(), referee.Play(added)); err != nil {
		t.Fatal(err)
	}
	if r := mustAsk(t, l, ask.Question{Text: "named:壓馬", Game: "xiangqi"}); r.Games != 3 {
		t.Errorf("after a further game: %d", r.Games)
	}
	// A name that nothing has.
	_, err := l.Ask(t.Context(), &ask.Question{Text: "named:壓車", Game: "xiangqi"})
	if e, ok := errors.AsType[*query.Error](err); !ok || !strings.Contains(e.Error(), "壓馬") {
		t.Errorf("a name that nothing has: %v", err)
	}
	// A board that is nowhere, but others are like it.
	none := mustAsk(t, l, ask.Question{Text: `position:"h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 g6g5 h6h5"`, Game: "xiangqi"})
	if none.Games != 0 || none.Fuzzy == "" {
		t.Fatalf("%d games, %q", none.Games, none.Fuzzy)
	}
	like := mustAsk(t, l, ask.Question{Text: none.Fuzzy, Game: "xiangqi", Request: retrieve.Request{Order: retrieve.ByLikeness}})
	if like.Games == 0 || like.Rows[0].Likeness < .9 || len(like.Rows[0].Differences) == 0 {
		t.Errorf("%s: %d games", none.Fuzzy, like.Games)
	}
}

// TestPeople finds players by any of their names, and tells their scores.
//
//qipu:race
func TestPeople(t *testing.T) {
	m := storetest.NewMaker(builtin.Games(), 3)
	var games []*record.Game
	for i, names := range [][2]string{
		{"聶衛平", "Takemiya Masaki"}, {"武宮正樹", "聂卫平"}, {"Nie Weiping", "Cho Chikun"}, {"조훈현", "趙治勲"}, {"Iyama Yuta", "Ke Jie"}, {"Nobody", "Smith, John"},
	} {
		g := m.Game("weiqi", "9x9", 20+i)
		g.Facts.Players[0].Name, g.Facts.Players[1].Name = names[0], names[1]
		g.Facts.Result.Verdict = 1 + g.Facts.Result.Verdict*0 // the first side won them all
		games = append(games, g)
	}
	l := askLibrary(t, games...)
	for text, want := range map[string]int{
		"player:聂卫平": 3, `player:"nie weiping"`: 3, "black:聶衛平": 2, "white:聶衛平": 1,
		"player:武宫正树": 2, "player:takemiya": 2, `player="Takemiya Masaki"`: 2,
		"player:井山裕太": 1, "player:柯潔": 1, "player:smith": 1, `player:"John Smith"`: 1,
		"player:聶衛平 and result:win": 2, "player:聶衛平 and result:loss": 1, "not player:聶衛平": 3,
		"takemiya": 2, "聂卫平 and not 武宮": 1,
	} {
		if r := mustAsk(t, l, ask.Question{Text: text}); r.Games != want {
			t.Errorf("%s: %d games, want %d", text, r.Games, want)
		}
	}
	r := mustAsk(t, l, ask.Question{Text: "player:聶衛平"})
	if w := r.Whose; w == nil || w.Count != 3 || w.First != 2 || w.Second != 1 {
		t.Errorf("the score of a player: %+v", w)
	}
	// Two spellings become one person, and two again.
	var edit int64
	err := l.Records().Edit(t.Context(), func(tx store.Tx) (err error) {
		edit, err = tx.AddPlayerEdit(store.PlayerEdit{Op: "merge", Names: []string{"Nobody"}, Into: "Smith, John"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	by := func() map[string]int {
		counts := map[string]int{}
		for _, g := range mustAsk(t, l, ask.Question{Text: "all", Request: retrieve.Request{By: retrieve.ByPlayer}}).Groups {
			counts[g.Key] = g.Count
		}
		return counts
	}
	if r := mustAsk(t, l, ask.Question{Text: "player:nobody"}); r.Games != 1 || by()["Smith, John"] != 2 || by()["Nobody"] != 0 {
		t.Errorf("merged: %d games, %v", r.Games, by())
	}
	if err := l.Records().Edit(t.Context(), func(tx store.Tx) error { return tx.UndoPlayerEdit(edit) }); err != nil {
		t.Fatal(err)
	}
	if n := by(); n["Smith, John"] != 1 || n["Nobody"] != 1 {
		t.Errorf("undone: %v", n)
	}
	// A misspelt name finds nobody, and helps.
	if r := mustAsk(t, l, ask.Question{Text: "player:Takemoya"}); r.Games != 0 || len(r.Hints) != 1 || !strings.Contains(r.Hints[0], "Takemiya") {
		t.Errorf("misspelt: %d games, %q", r.Games, r.Hints)
	}
}

// TestHostile: queries that would cost too much are refused or bounded.
func TestHostile(t *testing.T) {
	l := askLibrary(t, storetest.NewMaker(builtin.Games(), 3).Game("weiqi", "9x9", 30))
	deep := strings.Repeat("(", 5000) + "all" + strings.Repeat(")", 5000)
	many := "player:a" + strings.Repeat(" or player:b", 100_000)
	for name, text := range map[string]string{
		"deep": deep, "many": many, "long": strings.Repeat("x", 1<<20), "not": strings.Repeat("not ", 50_000) + "all",
		"region": `board:"` + strings.Repeat("X", 5000) + `"`, "rows": `board:"` + strings.Repeat("X/", 5000) + `X"`,
		"then": "ply:1.." + strings.Repeat(" then ply:1..", 5000),
	} {
		_, err := l.Ask(context.Background(), &ask.Question{Text: text, Game: "weiqi:9x9"})
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	// Within the bounds of a text, but too dear to answer.
	for name, text := range map[string]string{
		"boards": `board:"X . O/O . X"` + strings.Repeat(` or board:"X . O/O X ."`, 1500),
		"counts": "count(X)=1" + strings.Repeat(" or count(X)=2", 1500),
		"alike":  `fuzzy:"X O"` + strings.Repeat(` or fuzzy:"X O X"`, 100),
		"files":  "file:a" + strings.Repeat(" or file:b", 1500),
	} {
		_, err := l.Ask(context.Background(), &ask.Question{Text: text, Game: "weiqi:9x9"})
		if !errors.Is(err, retrieve.ErrTooMuch) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	// Many names that nobody has cost little, and make few hints.
	nobody := "player:zqx0"
	for i := range 1500 {
		nobody += fmt.Sprintf(" or player:zqx%d", i)
	}
	if r := mustAsk(t, l, ask.Question{Text: nobody}); r.Games != 0 || len(r.Hints) > 8 {
		t.Errorf("many names: %d games, %d hints", r.Games, len(r.Hints))
	}
	// What is large but allowed is answered.
	wide := "ply:1..5" + strings.Repeat(` or board:"X . O"`, 100)
	if r := mustAsk(t, l, ask.Question{Text: wide, Game: "weiqi:9x9"}); r.Games != 1 {
		t.Errorf("a wide query: %d games", r.Games)
	}
}

// TestAskTogether asks from many goroutines while games are added: every answer
// is that of some moment in between.
//
//qipu:race
func TestAskTogether(t *testing.T) {
	m := storetest.NewMaker(builtin.Games(), 21)
	var games []*record.Played
	for i := range 24 {
		g := m.Game("weiqi", "9x9", 12+i)
		g.Facts.Players[0].Name, g.Facts.Players[1].Name = "聶衛平", "Takemiya Masaki"
		games = append(games, m.Play(g))
	}
	l := askLibrary(t)
	if _, err := l.Records().Add(t.Context(), games[0]); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	queries := []string{"player:聂卫平", "white:takemiya and moves:1..", `board:"X ."{floating}`, "player:Takemiyya", "not player:nobody", "all"}
	for i, text := range queries {
		go func() {
			for last := 0; last < len(games); {
				r, err := l.Ask(context.Background(), &ask.Question{Text: text, Request: retrieve.Request{By: retrieve.Dimension(1 + i%3)}})
				switch {
				case err != nil:
					done <- err
					return
				case r.Games < last || r.Games > len(games):
					done <- fmt.Errorf("%s: %d games behind %d", text, r.Games, last)
					return
				}
				last = r.Games
			}
			done <- nil
		}()
	}
	for _, p := range games[1:] {
		if _, err := l.Records().Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	for range queries {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
