package tsumego

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// Puzzle is a problem as a JSON file of one problem holds it:
//
//	{"AB": ["ob", "od"], "AW": ["qc", "rc"], "SZ": "19", "C": "Black to play", "SOL": [["B", "sd", "", ""]]}
type Puzzle struct {
	Position *weiqi.Position
	First    game.Side
	Answers  []board.Point // first moves that the file calls right; none if it tells none
}

// ParseJSON reads a JSON file of one problem.
func ParseJSON(data []byte) (*Puzzle, error) {
	var file struct {
		AB, AW []string
		SZ     json.Number
		C      string
		SOL    [][]string
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("tsumego: not a problem in JSON: %w", err)
	}
	if len(file.AB)+len(file.AW) == 0 {
		return nil, errors.New("tsumego: not a problem in JSON: no stones in AB and AW")
	}
	size := board.Size{W: 19, H: 19}
	if file.SZ != "" {
		var err error
		if size, err = board.ParseSize(file.SZ.String()); err != nil {
			return nil, fmt.Errorf("tsumego: SZ: %w", err)
		}
	}
	rules, err := weiqi.New(weiqi.Options{Size: size})
	if err != nil {
		return nil, fmt.Errorf("tsumego: SZ: %w", err)
	}
	setup := game.NewSetup(rules)
	z := &Puzzle{}
	if side, _, ok := strings.Cut(strings.ToLower(file.C), " to play"); ok && strings.HasSuffix(side, "white") {
		z.First = weiqi.White
	}
	for side, list := range [][]string{file.AB, file.AW} {
		for _, text := range list {
			m, ok := rules.Coordinates(text, weiqi.SGF)
			if !ok || m == game.Pass || !size.Has(m.To()) {
				return nil, fmt.Errorf("tsumego: %q is no point of a board of %v", text, size)
			}
			setup.Board.Put(m.To(), board.Piece(side+1))
		}
	}
	setup.Turn = z.First
	p, err := rules.Arrange(setup)
	if err != nil {
		return nil, fmt.Errorf("tsumego: %w", err)
	}
	z.Position = p.(*weiqi.Position)
	for _, s := range file.SOL {
		if len(s) < 2 {
			continue
		}
		if m, ok := rules.Coordinates(s[1], weiqi.SGF); ok && m != game.Pass && size.Has(m.To()) {
			z.Answers = append(z.Answers, m.To())
		}
	}
	return z, nil
}
