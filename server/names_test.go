package server

import (
	"slices"
	"strings"
	"testing"

	"qipu/named"
	"qipu/pattern/relation/syntax"
	"qipu/view"
)

// mateLine is a board on which a cannon mates over its horse.
const mateLine = "3k5/9/3N5/9/3C5/9/9/9/9/4K4 b"

func TestNames(t *testing.T) {
	w := newWorld(t)
	list := fetch[view.NameList](w, "/names", "game", "xiangqi", "kind", "mate", "q", "馬後炮")
	if list.Total < 1 || list.Names[0].ID != "cannon-behind-horse" || list.Names[0].Board == nil || len(list.Names[0].Board.Roles) != 2 {
		t.Fatalf("%+v", list)
	}
	if len(list.Kinds) != 5 {
		t.Errorf("kinds: %+v", list.Kinds)
	}
	for game, id := range map[string]string{"othello": "f5d6c3d3c4", "renju": "kansei", "weiqi": "sanrensei", "xiangqi": "C42"} {
		d := fetch[view.NameDetail](w, "/names/"+id, "game", game)
		if d.Name.ID != id || d.Name.Names.En == "" || d.Name.Names.Ko == "" || d.Name.Query != "named:"+id {
			t.Errorf("%s: %+v", game, d.Name)
		}
		if (d.Name.Board == nil) != (id == "C42") {
			t.Errorf("%s has the board %+v", id, d.Name.Board)
		}
	}
	d := fetch[view.NameDetail](w, "/names/elbow-horse", "game", "xiangqi")
	yes, no := 0, 0
	for _, b := range d.Boards {
		if b.Match {
			yes++
		} else {
			no++
		}
	}
	if yes < 5 || no < 5 || !strings.Contains(d.Text, "essential") {
		t.Errorf("%d boards with it, %d without: %s", yes, no, d.Text)
	}
	if r := w.request("/names/cannon-behind-hors", "game", "xiangqi"); r.Code != 404 || !strings.Contains(r.Body.String(), "Is it cannon-behind-horse") {
		t.Errorf("%d %s", r.Code, r.Body)
	}
}

// TestNamesKept: an answer about names is given again as long as it holds.
func TestNamesKept(t *testing.T) {
	w := newWorld(t)
	etag := func() string {
		t.Helper()
		r := w.request("/names", "game", "xiangqi", "kind", "structure")
		if r.Code != 200 || r.Header().Get("ETag") == "" {
			t.Fatalf("%d %s", r.Code, r.Body)
		}
		return r.Header().Get("ETag")
	}
	before := etag()
	if etag() != before {
		t.Error("the answer is another one although nothing has changed")
	}
	own := syntax.Parse("own", []byte("pattern my-horse\nname My horse | 我的馬 | 我的马 | 私の馬 | 내 마\nlet a = our horse on rank 10\n"))
	if err := w.lib.Knowledge().SavePatterns(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	list := fetch[view.NameList](w, "/names", "game", "xiangqi", "q", "我的馬")
	if etag() == before || list.Total != 1 || list.Names[0].Layer != "library" {
		t.Errorf("a new pattern is not there: %+v", list)
	}
}

func TestNamesAt(t *testing.T) {
	w := newWorld(t)
	at := fetch[view.NamesAt](w, "/names/at", "game", "xiangqi", "line", mateLine)
	if len(at.Names) == 0 || at.Names[0].ID != "cannon-behind-horse" || at.Names[0].Side != 0 || len(at.Names[0].Roles) != 2 || at.Names[0].Roles[0].At != "d5" {
		t.Errorf("%+v", at)
	}
	at = fetch[view.NamesAt](w, "/names/at", "game", "xiangqi", "line", "h2e2 h9g7 h0g2 i9h9")
	var ids []string
	for _, n := range at.Names {
		ids = append(ids, n.ID)
	}
	if !slices.Contains(ids, "central-cannon") || slices.ContainsFunc(at.Names, func(n view.NameAt) bool { return n.Kind == "code" }) {
		t.Errorf("named %v: the code may still change", ids)
	}
	at = fetch[view.NamesAt](w, "/names/at", "game", "xiangqi", "line", "炮二平五 馬8進7 馬二進三 車9平8 車一平二 卒7進1 車二進六 馬2進3 兵七進一 炮8平9 車二平三 炮9退1 馬八進七 士4進5 炮八平九 炮9平7 車三平四")
	if !slices.ContainsFunc(at.Names, func(n view.NameAt) bool { return n.ID == "C45" && n.Side == named.Both }) {
		t.Errorf("without the code: %+v", at.Names)
	}
	for _, game := range []string{"weiqi:9x9", "othello:6x6", "gomoku", "weiqi", "renju"} {
		if at := fetch[view.NamesAt](w, "/names/at", "game", game, "line", ""); at.Names == nil {
			t.Errorf("%s: no list", game)
		}
	}
}

func TestTerms(t *testing.T) {
	w := newWorld(t)
	split := fetch[view.SplitTerms](w, "/terms/split", "game", "xiangqi", "text", "中炮過河炮邊傌對屏風馬高車捉炮")
	var terms []string
	for _, p := range split.Pieces {
		if p.Term != "" {
			terms = append(terms, p.Text)
		}
	}
	if strings.Join(terms, " ") != "中炮 過河炮 邊傌 屏風馬 高車捉炮" {
		t.Errorf("%v", terms)
	}
	list := fetch[view.Terms](w, "/terms", "game", "xiangqi")
	if list.Total < 150 || list.Terms[0].Games == 0 || list.Terms[0].Query == "" {
		t.Errorf("%d terms, the first %+v", list.Total, list.Terms[0])
	}
	list = fetch[view.Terms](w, "/terms", "game", "weiqi")
	if list.Terms == nil || list.Unknown == nil {
		t.Errorf("%+v", list)
	}
}
