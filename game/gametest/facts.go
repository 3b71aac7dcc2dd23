package gametest

import (
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
)

// checkFacts checks that a game says everything about itself that other
// packages rely on.
func checkFacts(t *testing.T, r game.Rules) {
	info, g := r.Info(), r.Geometry()
	if info.Name == "" || info.Name != strings.ToLower(info.Name) {
		t.Errorf("name %q: want a lower-case word", info.Name)
	}
	checkNames(t, "title", info.Titles)
	if len(info.Sides) != 2 {
		t.Fatalf("%d sides, want 2", len(info.Sides))
	}
	for _, side := range info.Sides {
		checkNames(t, "side "+side.Name, side.Titles)
		if side.Letters == "" {
			t.Errorf("side %s has no letter", side.Name)
		}
	}
	if len(info.Notations) == 0 {
		t.Error("no notation")
	}
	for _, n := range info.Notations {
		if n.Name == "" || n.Summary == "" {
			t.Errorf("notation %q: name and summary wanted", n.Name)
		}
	}
	if len(info.Symmetries) == 0 || info.Symmetries[0] != (game.Symmetry{}) {
		t.Error("the first symmetry must be the identity")
	}
	checkGeometry(t, g)
	checkVariants(t, r)
}

func checkNames(t *testing.T, what string, n board.Names) {
	t.Helper()
	for _, s := range []string{n.En, n.Hant, n.Hans, n.Ja, n.Ko} {
		if s == "" {
			t.Errorf("%s lacks a name in one of the five languages: %+v", what, n)
			return
		}
	}
}

func checkGeometry(t *testing.T, g *board.Geometry) {
	if !g.Size.Valid() {
		t.Fatalf("size %v", g.Size)
	}
	if len(g.Labels.Top) != g.Size.W || len(g.Labels.Left) != g.Size.H {
		t.Errorf("%d column and %d row labels on %v", len(g.Labels.Top), len(g.Labels.Left), g.Size)
	}
	letters := map[rune]int{}
	for i, look := range g.Pieces {
		checkNames(t, "piece", look.Names)
		if look.Letters == "" || look.Symbol == "" || look.Fill == "" || look.Edge == "" {
			t.Errorf("piece %d lacks letters, symbol or colours", i+1)
		}
		for _, c := range look.Letters {
			if other, ok := letters[c]; ok {
				t.Errorf("letter %q means piece %d and piece %d", c, other, i+1)
			}
			if strings.ContainsRune("./-_+0123456789", c) {
				t.Errorf("letter %q of piece %d has another meaning in position texts", c, i+1)
			}
			letters[c] = i + 1
		}
		if look.Swap < 1 || int(look.Swap) > len(g.Pieces) {
			t.Errorf("piece %d swaps with %d", i+1, look.Swap)
			continue
		}
		other := g.Pieces[look.Swap-1]
		if int(other.Swap) != i+1 || other.Owner == look.Owner {
			t.Errorf("pieces %d and %d do not swap with each other", i+1, look.Swap)
		}
	}
}

// checkVariants checks that the rules name the variant they are, and that the
// name makes them again.
// checkChoices: every answer is a variant of the plain game, with a name or a word
// that says it, and the first answers change nothing.
func checkChoices(t *testing.T, v game.Varied, choices []game.Choice) {
	for _, c := range choices {
		checkNames(t, "choice", c.Titles)
		if len(c.Values) < 2 {
			t.Errorf("choice %s has %d answers", c.Titles.En, len(c.Values))
		}
		for i, value := range c.Values {
			if value.Word == "" || value.Titles != (board.Names{}) {
				checkNames(t, "answer "+value.Word, value.Titles)
			}
			made, err := v.Variant(value.Word)
			if err != nil {
				t.Errorf("choice %s: %v", c.Titles.En, err)
			} else if got := made.Info().Variant; i == 0 && got != "" {
				t.Errorf("choice %s: the first answer, %q, makes the variant %q", c.Titles.En, value.Word, got)
			}
		}
	}
}

func checkVariants(t *testing.T, r game.Rules) {
	v, ok := r.(game.Varied)
	if !ok {
		return
	}
	if same, err := v.Variant(""); err != nil || same.Info().Variant != r.Info().Variant {
		t.Errorf("the empty variant changes the rules: %v", err)
	}
	if none, err := v.Variant("no-such-variant"); err == nil || none != nil {
		t.Errorf("an unknown variant gives %v, %v", none, err)
	}
	for _, nick := range r.Info().Nicknames {
		if _, err := v.Variant(nick.Variant); err != nil {
			t.Errorf("%s: %v", nick.Name, err)
		}
	}
	if r.Info().Variant == "" {
		checkChoices(t, v, r.Info().Choices)
		return
	}
	again, err := v.Variant(r.Info().Variant)
	if err != nil {
		t.Fatalf("variant %q: %v", r.Info().Variant, err)
	}
	if got := again.Info().Variant; got != r.Info().Variant {
		t.Errorf("variant %q makes %q", r.Info().Variant, got)
	}
	a := game.FormatPosition(r, r.Start())
	if b := game.FormatPosition(again, again.Start()); a != b {
		t.Errorf("variant %q starts from %s, want %s", r.Info().Variant, b, a)
	}
}
