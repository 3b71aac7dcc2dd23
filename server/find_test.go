package server

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qipu/board"
	"qipu/internal/testkit"
	"qipu/retrieve"
	"qipu/server/api"
	"qipu/view"
)

// corner is a shape that the study of the demo set has.
const corner = `board:"+----/|..../|..../|..../|...X"`

// TestFind compares answers with those of the library.
func TestFind(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ query, game string }{
		{"", ""}, {"", "othello"}, {"all", ""}, {"result:draw", ""}, {"collection:demo -game:othello", ""}, {"player:ada", ""},
		{corner, "weiqi"}, {"board:XO", "othello"}, {"position:f5", "othello"}, {"game:othello position:f5d6 result:black", ""},
		{"fuzzy:'R../.n.'{min:.6}", "xiangqi"}, {"line:f5d6", "othello"}, {"board:'[Rr]'{turn:red plies:10..40}", "xiangqi"}, {"discs>40", "othello"},
		{"named:nobody or player:a", ""},
	} {
		in := &api.Asking{Query: c.query, Game: c.game}
		q, err := w.Question(w.ctx, in, &api.Listing{Limit: 30})
		if err == nil {
			_, err = w.lib.Search().Prepare(w.ctx, q)
		}
		if err != nil {
			if p := refused(w, "/find", "q", c.query, "game", c.game); p.Code != "query" || p.Detail == "" {
				t.Errorf("%q: %+v for %v", c.query, p, err)
			}
			continue
		}
		want, err := w.lib.Ask(w.ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		got := fetch[view.Answer](w, "/find", "q", c.query, "game", c.game, "boards", "true")
		if got.Games != want.Games || got.Query != want.Query.String() || got.Name != want.Name || got.Next != want.Next || got.Like != want.Fuzzy {
			t.Errorf("%q: %d games of %q, %q; want %d, %q, %q", c.query, got.Games, got.Query, got.Name, want.Games, want.Query, want.Name)
		}
		hits := -1
		shape := retrieve.Anchor(want.Bound)
		if shape != nil {
			hits = want.Hits
		}
		if got.Hits != hits || (got.Board != nil) != (shape != nil || got.Fuzzy) || len(got.Moves) != len(want.Continuations) {
			t.Errorf("%q: %d hits, %d moves, board %t; want %d, %d", c.query, got.Hits, len(got.Moves), got.Board != nil, hits, len(want.Continuations))
		}
		if (got.Drawn != nil) != (got.Board != nil && got.Board.Swap) {
			t.Errorf("%q: the score as drawn is there: %t", c.query, got.Drawn != nil)
		}
		if got.Score.Games != want.Games || got.Score.First != want.Colours.First || got.Score.Draws != want.Colours.Draws || (got.Score.Rate == nil) != (want.Colours.First+want.Colours.Second+want.Colours.Draws == 0) {
			t.Errorf("%q: score %+v, want %+v", c.query, got.Score, want.Colours)
		}
		if int64(got.Games) > got.Of {
			t.Errorf("%q: %d games of %d", c.query, got.Games, got.Of)
		}
		if len(got.Rows) != len(want.Rows) {
			t.Fatalf("%q: %d rows, want %d", c.query, len(got.Rows), len(want.Rows))
		}
		for i := range got.Rows {
			h, row := &got.Rows[i], &want.Rows[i]
			if h.Record.ID != row.Game || got.Timed && h.Ply != int(row.Ply) || !got.Timed && h.Ply != -1 || len(h.Pieces) == 0 || h.Likeness != view.Rounded(row.Likeness) {
				t.Errorf("%q: row %d is %+v, want %+v", c.query, i, h, row)
			}
			if got.Board != nil && !got.Fuzzy && len(want.Continuations) == 0 && h.Next != "" && got.Elsewhere == 0 && got.Ended == 0 {
				t.Errorf("%q: %s came next, but no move did", c.query, h.Next)
			}
			if shape != nil && len(shape.Next) == 0 && got.Board.Turn < 0 {
				w.stands(c.query, got, h)
			}
		}
	}
}

// stands checks that the board of an answer stands in the place of a hit, as its
// symmetry takes it there, where its cells say what piece it is.
func (w *world) stands(asked string, a *view.Answer, h *view.Hit) {
	w.t.Helper()
	k, err := w.Kinds.Find(a.Game)
	if err != nil {
		w.t.Fatal(err)
	}
	region := board.Size{W: a.Board.Columns, H: a.Board.Rows}
	for sym := board.Identity; sym < board.NumSymmetries; sym++ {
		if sym.String() != h.Symmetry {
			continue
		}
		if turned := sym.Turned(region); turned.W != h.Region.Columns || turned.H != h.Region.Rows {
			w.t.Errorf("%q: game %d: the region is %+v, want %v", asked, h.Record.ID, h.Region, turned)
		}
		for i, piece := range a.Board.Pieces {
			if piece == 0 && a.Board.Cells[i] != "." {
				continue
			}
			if h.Swapped && piece > 0 {
				piece = int(k.Index.Board.Swap[piece-1])
			}
			p := sym.Apply(region, region.Point(i))
			at := board.At(p.X()+h.Region.Column, p.Y()+h.Region.Row)
			if h.Pieces[k.PointIndex(at)] != piece {
				w.t.Errorf("%q: game %d, ply %d: %d on %v, want %d", asked, h.Record.ID, h.Ply, h.Pieces[k.PointIndex(at)], at, piece)
			}
		}
		return
	}
	w.t.Errorf("%q: there is no symmetry %q", asked, h.Symmetry)
}

func TestFindPages(t *testing.T) {
	w := newWorld(t)
	want := w.ids()
	var got []uint32
	cursor := ""
	for {
		a := fetch[view.Answer](w, "/find", "limit", "7", "cursor", cursor)
		for i := range a.Rows {
			got = append(got, a.Rows[i].Record.ID)
		}
		if len(a.Rows) > 7 || a.Games != len(want) {
			t.Errorf("%d rows of %d games", len(a.Rows), a.Games)
		}
		if cursor = a.Next; cursor == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages have %v, want %v", got, want)
	}
	turned := fetch[view.Answer](w, "/find", "limit", "500", "reverse", "true")
	if n := len(turned.Rows); turned.Rows[n-1].Record.ID != want[0] || turned.Rows[0].Record.ID != want[n-1] {
		t.Error("reverse does not turn the order")
	}
	dates := fetch[view.Answer](w, "/find", "limit", "500", "sort", "date", "game", "othello")
	if !slices.IsSortedFunc(dates.Rows, func(a, b view.Hit) int { return strings.Compare(b.Record.Date, a.Record.Date) }) {
		t.Error("games are not in the order of their dates")
	}
	for _, bad := range [][]string{{"sort", "beauty"}, {"limit", "0"}, {"limit", "501"}, {"by", "move"}, {"game", "shoe"}, {"unknown", "1"}, {"cursor", "rubbish"}} {
		if p := refused(w, "/find", bad...); p.Detail == "" {
			t.Errorf("%q: %+v", bad, p)
		}
	}
}

func TestFindGroups(t *testing.T) {
	w := newWorld(t)
	for _, by := range retrieve.Dimensions() {
		a := fetch[view.Answer](w, "/find", "by", by, "groups", "1000")
		dimension, err := retrieve.ParseDimension(by)
		if err != nil {
			t.Fatal(err)
		}
		q := (&api.Asking{}).Question()
		q.By = dimension
		want, err := w.lib.Ask(w.ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Groups) != len(want.Groups) || a.GroupsOf != len(want.Groups) {
			t.Fatalf("by %s: %d groups, want %d", by, len(a.Groups), len(want.Groups))
		}
		for i := range a.Groups {
			if a.Groups[i].Key != want.Groups[i].Key || a.Groups[i].Score.Games != want.Groups[i].Count {
				t.Errorf("by %s: %+v, want %+v", by, a.Groups[i], want.Groups[i])
			}
		}
	}
	if a := fetch[view.Answer](w, "/find", "by", "player", "groups", "2"); len(a.Groups) != 2 || a.GroupsOf <= 2 {
		t.Errorf("%d groups of %d", len(a.Groups), a.GroupsOf)
	}
}

// TestFindMoves: moves are on the points of the board where the region lies on
// it, and in the region otherwise.
func TestFindMoves(t *testing.T) {
	w := newWorld(t)
	a := fetch[view.Answer](w, "/find", "q", "position:start", "game", "othello")
	if m := a.Moves[0]; m.Column+8*m.Row != m.Move.To || m.Move.From != -1 || m.Left != -1 || m.Games != a.Games || m.Reached != -1 {
		t.Errorf("the first move is %+v", m)
	}
	a = fetch[view.Answer](w, "/find", "q", "position:start", "game", "xiangqi", "notation", "chinese")
	if m := a.Moves[0]; m.Move.From != m.Left+9*m.Top || m.Move.From < 0 || !strings.ContainsAny(m.Move.Text, "進退平") {
		t.Errorf("the first move is %+v", m)
	}
	a = fetch[view.Answer](w, "/find", "q", "board:XO", "game", "othello")
	for _, m := range a.Moves {
		if m.Move.To != -1 || m.Column < 0 || m.Column > 1 || m.Row != 0 {
			t.Errorf("in the open: %+v", m)
		}
	}
	if a := fetch[view.Answer](w, "/find", "q", "position:start", "game", "othello", "brief", "true"); len(a.Moves) != 0 {
		t.Error("brief tells moves")
	}
}

func TestTree(t *testing.T) {
	w := newWorld(t)
	tree := fetch[view.Tree](w, "/find/tree", "q", "position:f5", "game", "othello", "depth", "4", "least", "1")
	a := fetch[view.Answer](w, "/find", "q", "position:f5", "game", "othello")
	if tree.Score.Games != a.Games || tree.Least != 1 || tree.Move.Text != "" {
		t.Errorf("the root is %+v, want %d games", tree.Score, a.Games)
	}
	deepest := 0
	var walk func(n *view.Tree, line []string)
	walk = func(n *view.Tree, line []string) {
		deepest = max(deepest, len(line))
		sum := 0
		for i := range n.Children {
			c := &n.Children[i]
			sum += c.Score.Games
			walk(c, append(slices.Clone(line), c.Move.Text))
		}
		if sum > n.Score.Games {
			t.Errorf("%q: %d games follow %d", line, sum, n.Score.Games)
		}
		p := fetch[view.Position](w, "/position", "game", "othello", "line", "f5 "+strings.Join(line, " "))
		if len(line) > 0 && p.Moves[len(p.Moves)-1].To != n.Move.To {
			t.Errorf("%q ends on %d, want %d", line, p.Moves[len(p.Moves)-1].To, n.Move.To)
		}
	}
	walk(tree, nil)
	if deepest != 4 {
		t.Errorf("%d moves deep", deepest)
	}
	if pruned := fetch[view.Tree](w, "/find/tree", "q", "position:f5", "game", "othello", "least", "3"); pruned.Least != 3 || len(pruned.Children) > len(tree.Children) {
		t.Errorf("pruned: %+v", pruned)
	}
	if p := refused(w, "/find/tree", "q", "player:ada"); p.Code != "no-board" {
		t.Errorf("%+v", p)
	}
}

func TestTrendCompareExplain(t *testing.T) {
	w := newWorld(t)
	want, _, err := w.lib.Search().Trend(w.ctx, (&api.Asking{Query: "player:ada"}).Question())
	if err != nil {
		t.Fatal(err)
	}
	trend := fetch[view.Trend](w, "/find/trend", "q", "player:ada")
	if trend.Direction != want.Direction || len(trend.Years) != len(want.Years) || trend.Years[0].Games != want.Years[0].Games {
		t.Errorf("%+v, want %+v", trend, want)
	}
	c := fetch[view.Comparison](w, "/find/compare", "a", "game:othello position:f5", "b", "position:f5d6")
	a, b := fetch[view.Answer](w, "/find", "q", "game:othello position:f5"), fetch[view.Answer](w, "/find", "q", "game:othello position:f5d6")
	if c.A.Games != a.Games || c.B.Games != b.Games || c.Shared != b.Games || c.Player || c.Difference != view.Rounded(*c.B.Rate-*c.A.Rate) || c.Low > c.Difference || c.High < c.Difference {
		t.Errorf("%+v of %d and %d games", c, a.Games, b.Games)
	}
	if p := refused(w, "/find/compare", "a", "moves>", "b", "all"); p.Code != "query" {
		t.Errorf("%+v", p)
	}
	x := fetch[view.Explanation](w, "/find/explain", "q", "position:f5", "game", "othello")
	if len(x.Parts) != 1 || x.Parts[0].Game != "othello" || x.Parts[0].Plan == "" || x.Parts[0].Lines < x.Parts[0].Candidates {
		t.Errorf("%+v", x)
	}
}

// event is one of a stream.
type event struct{ id, name, data string }

// listen reads a stream of events to its end.
func listen(t *testing.T, address, last string) (int, []event) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var list []event
	var e event
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				list = append(list, e)
			}
			e = event{}
		}
	}
	return answer.StatusCode, list
}

// TestFindEvents: the stream ends with the answer that a plain request has, can
// be taken up again, and begins anew where it is not known.
//
//qipu:race
func TestFindEvents(t *testing.T) {
	w := newWorld(t)
	web := httptest.NewServer(w.handler)
	defer web.Close()
	for _, q := range []string{corner + " game:weiqi", "player:ada", "game:xiangqi fuzzy:'R../.n.'{min:.6}"} {
		address := web.URL + target("/find/events", "q", q, "boards", "true", "limit", "3")
		code, list := listen(t, address, "")
		if code != http.StatusOK || len(list) == 0 || list[len(list)-1].name != "answer" {
			t.Fatalf("%q: %d, %v", q, code, list)
		}
		end := list[len(list)-1]
		var got view.Answer
		if err := json.Unmarshal([]byte(end.data), &got); err != nil {
			t.Fatal(err)
		}
		want := fetch[view.Answer](w, "/find", "q", q, "boards", "true", "limit", "3")
		got.Elapsed, want.Elapsed = 0, 0
		if !reflect.DeepEqual(&got, want) {
			t.Errorf("%q: %s", q, end.data)
		}
		for _, e := range list {
			if e.name != "page" {
				continue
			}
			var page view.Page
			if err := json.Unmarshal([]byte(e.data), &page); err != nil || !reflect.DeepEqual(page.Rows, want.Rows) {
				t.Errorf("%q: the first page is another: %v", q, err)
			}
		}
		if code, again := listen(t, address, end.id); code != http.StatusNoContent || len(again) != 0 {
			t.Errorf("%q: behind the end: %d, %v", q, code, again)
		}
		first, _, _ := strings.Cut(end.id, "-")
		if code, again := listen(t, address, first+"-0"); code != http.StatusOK || again[len(again)-1] != end {
			t.Errorf("%q: from the start: %d, %v", q, code, again)
		}
		if code, anew := listen(t, address, "nosuchstream-7"); code != http.StatusOK || anew[len(anew)-1].id == end.id {
			t.Errorf("%q: of an unknown stream: %d, %v", q, code, anew)
		}
	}
	if code, _ := listen(t, web.URL+target("/find/events", "q", "moves>"), ""); code != http.StatusUnprocessableEntity {
		t.Errorf("a wrong query: %d", code)
	}
	answer, err := http.Get(web.URL + target("/find/events", "q", "board:XO"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(body), "which game") {
		t.Errorf("a board of no game: %d %s, %v", answer.StatusCode, body, err)
	}
	if code, _ := listen(t, web.URL+target("/find/events", "limit", strconv.Itoa(int(time.Hour))), ""); code != http.StatusUnprocessableEntity {
		t.Errorf("a huge page: %d", code)
	}
}

// that it has ended.
func TestAbandonedSearch(t *testing.T) {
	w := newWorld(t)
	web := httptest.NewServer(w.handler)
	defer web.Close()
	var leave []func()
	for w.free() {
		l, err := w.Guard.Gate().Enter(w.ctx)
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, l)
	}
	ctx, cancel := context.WithCancel(w.ctx)
	r, err := http.NewRequestWithContext(ctx, "GET", web.URL+target("/find/events", "q", "player:ada"), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if w.Hub.Len() != 1 {
		t.Fatalf("%d streams", w.Hub.Len())
	}
	cancel()
	for end := time.Now().Add(testkit.Patience); w.Hub.Len() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the search goes on, or is remembered as one that has ended")
		}
	}
	for _, l := range leave {
		l()
	}
}

// TestFaultyDoesNotWait: what is refused for what it asks is refused at once, however
// many others wait.
func TestFaultyDoesNotWait(t *testing.T) {
	w := newWorld(t)
	for w.free() {
		leave, err := w.Guard.Gate().Enter(w.ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
	}
	for _, faulty := range [][]string{
		{"/find", "q", "player:("}, {"/records", "q", "player:("}, {"/records/facets", "q", "player:("}, {"/records/facets", "by", "shoe"},
		{"/perft", "game", "shoe", "depth", "2"}, {"/find/trend", "q", "player:("}, {"/records/1/hits", "q", "player:("},
		{"/explore", "game", "othello", "line", "z99"}, {"/explore", "game", "othello", "sort", "shoe"}, {"/find/tree", "game", "othello", "q", "player:("},
	} {
		if answer := w.request(faulty[0], faulty[1:]...); answer.Code < 400 || answer.Code >= 500 {
			t.Errorf("%s: %d %s", faulty, answer.Code, answer.Body)
		}
	}
	ctx, cancel := context.WithTimeout(w.ctx, 50*time.Millisecond)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, "GET", target("/find/trend", "q", "player:ada"), nil)
	answer := httptest.NewRecorder()
	if w.handler.ServeHTTP(answer, r); answer.Code == http.StatusOK && answer.Body.Len() > 0 {
		t.Errorf("a sound one does not wait: %s", answer.Body)
	}
}

// free reports whether the gate has a place.
func (w *world) free() bool {
	ctx, cancel := context.WithTimeout(w.ctx, 20*time.Millisecond)
	defer cancel()
	leave, err := w.Guard.Gate().Enter(ctx)
	if err == nil {
		leave()
	}
	return err == nil
}

// TestTreeDepth: a tree is as deep as it is asked for where there are few games.
func TestTreeDepth(t *testing.T) {
	w := newWorld(t)
	if got := fetch[view.Tree](w, "/find/tree", "game", "othello", "q", "position:start", "depth", "30", "least", "1"); got.Depth != 30 {
		t.Errorf("depth %d", got.Depth)
	}
	if got := fetch[view.Tree](w, "/find/tree", "game", "othello", "q", "position:start", "depth", "6"); got.Depth != 6 {
		t.Errorf("depth %d", got.Depth)
	}
}
