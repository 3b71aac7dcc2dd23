package livebook_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/gametest/pocket"
	"qipu/game/kalah"
	"qipu/internal/testkit"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/play"
	"qipu/retrieve"
	"qipu/store"
)

// nobody is an opponent where people play both sides.
type nobody struct{}

func (nobody) Reply(context.Context, *play.Query) (play.Reply, error) {
	return play.Reply{}, errors.New("nobody")
}

// playing opens a new library, and returns how to open a host of it.
func playing(t *testing.T) (*qipu.Library, func() *play.Host) {
	t.Helper()
	lib, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib, func() *play.Host {
		t.Helper()
		h, err := lib.Play(t.Context(), play.Options{Opponent: nobody{}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.Close)
		return h
	}
}

// playGame plays moves of two people and has the last one give up.
func playGame(t *testing.T, h *play.Host, token, moves string) *play.View {
	t.Helper()
	rules, err := builtin.Games().Find("othello")
	if err != nil {
		t.Fatal(err)
	}
	s, err := play.New(rules, nil, play.Settings{Game: "othello", Players: [2]play.Player{{Name: "Ada"}, {Name: "Grace"}}}, nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Create(t.Context(), "", token, s); err != nil {
		t.Fatal(err)
	}
	for _, m := range strings.Fields(moves) {
		if _, err := h.Play(t.Context(), token, 0, func(s *play.Session) (game.Move, error) { return s.ParseMove(m) }); err != nil {
			t.Fatalf("%s: %v", m, err)
		}
	}
	v, err := h.Resign(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestPlayCrash: a crash after the record was made and before its number was
// noted makes no second one, and forgets nothing that was told of it. A longer
// game that begins the same takes nothing away from a shorter one.
func TestPlayCrash(t *testing.T) {
	const moves = "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 g6"
	lib, open := playing(t)
	h := open()
	first := playGame(t, h, "one", moves)
	second := playGame(t, h, "two", moves)
	longer := playGame(t, h, "three", moves+" f8 f7 g5 h6")
	records := map[uint32]bool{}
	for _, v := range []*play.View{first, second, longer} {
		records[v.Result.Record] = true
	}
	if len(records) != 3 || first.Result.Known || !second.Result.Known || longer.Result.Known || first.Result.Fresh != 13 || second.Result.Fresh != 0 || longer.Result.Fresh != 4 {
		t.Fatalf("%+v, %+v, %+v", first.Result, second.Result, longer.Result)
	}
	h.Close()
	for _, token := range []string{"one", "two", "three"} {
		x, err := lib.Notes().Sessions().Load(t.Context(), token)
		if err != nil || x.Record == 0 {
			t.Fatalf("%+v, %v", x, err)
		}
		var state map[string]any
		if err := json.Unmarshal(x.State, &state); err != nil {
			t.Fatal(err)
		}
		result := state["result"].(map[string]any)
		delete(result, "record")
		delete(result, "known")
		text, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		if err := lib.Notes().Sessions().Save(t.Context(), &play.Stored{ID: x.ID, State: text, Over: true, Changed: x.Changed}); err != nil {
			t.Fatal(err)
		}
	}
	h = open()
	for end := time.Now().Add(testkit.Patience); h.Len() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	for _, was := range []*play.View{first, second, longer} {
		now, err := h.View(t.Context(), was.Token)
		if err != nil {
			t.Fatal(err)
		}
		if !now.Result.At.Equal(was.Result.At) || now.Result.Record != was.Result.Record || now.Result.Known != was.Result.Known || now.Result.Fresh != was.Result.Fresh {
			t.Errorf("%s: %+v, was %+v", was.Token, now.Result, was.Result)
		}
	}
}

// TestPlayAnyGame plays games that are unlike the shipped ones against an engine,
// to their ends: seeds in houses, with moves twice in a row, and pawns that become
// others, with pieces in hand. They become records that are kept, found by what is
// said of them and counted in a book; boards are looked for where there are any.
func TestPlayAnyGame(t *testing.T) {
	lib, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true, Games: append(builtin.Games(), kalah.Rules{Seeds: 2}, pocket.Rules{})})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	pool := engine.NewPool(engine.PoolOptions{Size: 1, Make: func(r game.Rules) (engine.Engine, error) { return builtin.Engine(r, engine.Options{Hash: 1 << 20}) }})
	defer pool.Close()
	over := make(chan *play.View, 1000)
	h, err := lib.Play(t.Context(), play.Options{Opponent: play.Mind{Pool: pool}, OnChange: func(v *play.View) { over <- v }})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, name := range []string{"kalah", "pocket"} {
		rules, err := lib.Records().Rules().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := play.New(rules, nil, play.Settings{Game: name, Players: [2]play.Player{{Name: "Ada"}, {Level: 2}}, Seed: 3}, nil, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		v, err := h.Create(t.Context(), "", name, s)
		if err != nil {
			t.Fatal(err)
		}
		for v.State != play.Over && len(v.Task.Moves) < 60 {
			if v.State == play.Thinking {
				if next := <-over; next.Token == v.Token && next.Version > v.Version { // not of the game before
					v = next
				}
				continue
			}
			pos, err := v.Position()
			if err != nil {
				t.Fatal(err)
			}
			moves := pos.AppendMoves(nil)
			m := moves[len(v.Task.Moves)*7%len(moves)]
			if v, err = h.Play(t.Context(), name, 0, func(*play.Session) (game.Move, error) { return m, nil }); err != nil {
				t.Fatal(err)
			}
		}
		if v.State != play.Over {
			if v, err = h.Resign(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		g, _, err := lib.Record(t.Context(), v.Result.Record)
		if err != nil || g.Kind != name || g.Moves() != len(v.Task.Moves) {
			t.Fatalf("%s: %+v: %v", name, g, err)
		}
		r, err := lib.Ask(t.Context(), &ask.Question{Text: "player:Ada", Game: name})
		if err != nil || r.Games != 1 {
			t.Errorf("%s: %+v: %v", name, r, err)
		}
		k, err := lib.Records().Kind(name)
		if err != nil {
			t.Fatal(err)
		}
		a, err := lib.Search().Explore(t.Context(), &retrieve.ExploreRequest{Kind: k, Position: rules.Start()})
		if name == "kalah" && !errors.Is(err, pattern.ErrNoBoard) || name == "pocket" && (err != nil || a.Games != 1) {
			t.Errorf("%s: explored: %+v, %v", name, a, err)
		}
	}
}

// TestPlayTogether: moves of many games that come at once are all stored.
//
//qipu:race
func TestPlayTogether(t *testing.T) {
	lib, open := playing(t)
	h := open()
	var wg sync.WaitGroup
	for _, token := range strings.Fields("a b c d e f g h i j k l") {
		wg.Go(func() { playGame(t, h, token, "f5 d6 c3 d3") })
	}
	wg.Wait()
	counts, err := lib.Records().Counts(t.Context())
	if err != nil || counts.Games["othello 8x8"] != 12 {
		t.Errorf("%+v, %v", counts.Games, err)
	}
}

// TestPlayReadOnly: a library that is open for reading only takes no games.
func TestPlayReadOnly(t *testing.T) {
	lib, _ := playing(t)
	reader, err := qipu.Open(t.Context(), lib.Records().Dir(), qipu.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if _, err := reader.Play(t.Context(), play.Options{Opponent: nobody{}}); !errors.Is(err, store.ErrReadOnly) {
		t.Error(err)
	}
}
