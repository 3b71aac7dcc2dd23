package ask_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"qipu"
	"qipu/index"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/knowledge"
	"qipu/query"
	"qipu/retrieve"
	"qipu/store"
)

const twoGames = `(;GM[2]FF[4]PB[Ada]PW[Ben];B[f5];W[d6];B[c3])
(;GM[2]FF[4]PB[Cid]PW[Ada];B[f5];W[f6];B[e6])
`

// small opens a library with two games of Othello.
func small(t *testing.T) *qipu.Library {
	t.Helper()
	file := filepath.Join(t.TempDir(), "games.sgf")
	if err := os.WriteFile(file, []byte(twoGames), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := qipu.Open(t.Context(), filepath.Join(t.TempDir(), "library"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if _, err := l.Import(t.Context(), library.ImportOptions{}, file); err != nil {
		t.Fatal(err)
	}
	return l
}

// A live search asks how the query is read, which order is meant, for the rows and the
// answer, what the board is, the facets and the trend: all that binds the query once.
func TestBindOnce(t *testing.T) {
	l := small(t)
	ctx := t.Context()
	for _, text := range []string{
		`game:othello position:"f5d6" player:ada`, `game:othello fuzzy:"f5d6"{min:.5}`, `game:othello ada`, `game:othello board:"XO" or player:ben`,
	} {
		binds := 0
		l.Search().OnBind(func(*index.Kind) { binds++ })
		question := ask.Question{Text: text, Request: retrieve.Request{Limit: 10}}
		read, err := l.Search().Prepare(ctx, &question) // GET /query
		if err != nil {
			t.Fatal(err)
		}
		live := question // GET /find/events
		p, err := l.Search().Prepare(ctx, &live)
		if err != nil {
			t.Fatal(err)
		}
		live.Order = p.Order()
		reply, err := l.Ask(ctx, &live)
		if err != nil {
			t.Fatal(err)
		}
		if len(read.Diagrams) > 0 && reply.Diagram == nil && retrieve.Anchor(reply.Bound) != nil {
			t.Errorf("%s: the board of the answer is not known", text)
		}
		if _, _, err = l.Search().Facets(ctx, &question, retrieve.ByYear, retrieve.ByPlayer); err == nil {
			_, _, err = l.Search().Trend(ctx, &question)
		}
		if err == nil {
			_, err = l.Search().Explain(ctx, &question)
		}
		if err != nil {
			t.Fatal(err)
		}
		if binds != 1 {
			t.Errorf("%s: bound %d times, want once", text, binds)
		}
	}
}

// What is prepared is prepared anew once the library has changed: its games, its
// collections, its shapes.
func TestPreparedFollows(t *testing.T) {
	l := small(t)
	ctx := t.Context()
	binds := 0
	l.Search().OnBind(func(*index.Kind) { binds++ })
	asked := func(p *ask.Prepared, games int) {
		t.Helper()
		reply, err := p.Ask(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if reply.Games != games {
			t.Errorf("%d games, want %d", reply.Games, games)
		}
	}
	p, err := l.Search().Prepare(ctx, &ask.Question{Text: "game:othello tag:seen"})
	if err != nil {
		t.Fatal(err)
	}
	asked(p, 0)
	asked(p, 0)
	if binds != 1 {
		t.Errorf("bound %d times, want once", binds)
	}
	if err := l.Records().Edit(ctx, func(tx store.Tx) error { return tx.Tag("seen", []uint32{2}) }); err != nil {
		t.Fatal(err)
	}
	asked(p, 1)
	if err := l.Records().Delete(ctx, 2); err != nil {
		t.Fatal(err)
	}
	asked(p, 0)
	own, err := l.Search().Prepare(ctx, &ask.Question{Text: "named:own-bar", Game: "weiqi"})
	if err == nil {
		t.Fatalf("%v is known before it is drawn", own.Query)
	}
	f, err := knowledge.ParseShape("own", "shape own-bar\ndraw\n  O O O\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Knowledge().SaveShapes(ctx, f); err != nil {
		t.Fatal(err)
	}
	if own, err = l.Search().Prepare(ctx, &ask.Question{Text: "named:own-bar", Game: "weiqi"}); err != nil {
		t.Fatal(err)
	}
	asked(own, 0)
}

// Many who ask the same at once wait for one binding, and get answers of their own.
func TestPreparedAtOnce(t *testing.T) {
	l := small(t)
	var mu sync.Mutex
	binds := 0
	l.Search().OnBind(func(*index.Kind) { mu.Lock(); binds++; mu.Unlock() })
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			q := ask.Question{Text: "game:othello player:Nobody", Request: retrieve.Request{By: retrieve.Dimension(1 + i%3)}}
			reply, err := l.Ask(context.Background(), &q)
			if err != nil || reply.Games != 0 || len(reply.Hints) != 1 {
				t.Errorf("%v, %v", reply, err)
			}
		})
	}
	wg.Wait()
	if binds != 1 {
		t.Errorf("bound %d times, want once", binds)
	}
}

// The diagrams of a query are known as they are bound, in their order; those of names
// are not written in it.
func TestPreparedDiagrams(t *testing.T) {
	l := small(t)
	p, err := l.Search().Prepare(t.Context(), &ask.Question{Text: `game:othello board:"XO" -position:"f5d6" board:"OX"{no-swap}`})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, d := range p.Diagrams {
		texts = append(texts, d.Written.Text)
		if _, ok := d.Bound.(*query.Shape); !ok {
			t.Errorf("%v is bound to a %T", d.Written, d.Bound)
		}
	}
	if want := []string{"XO", "f5d6", "OX"}; !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
}
