package valuing

import (
	"context"
	"fmt"
	"io"

	"qipu/book/theory"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// Ship writes the places that were searched as deep as a level, as the program carries
// them.
func Ship(ctx context.Context, w io.Writer, list []*Place, level int) (written int, err error) {
	rows := make([]theory.Row, 0, len(list))
	for _, p := range list {
		if p.leaf.Level == 0 {
			continue
		}
		row, err := p.row()
		if err != nil {
			return 0, err
		}
		rows = append(rows, row)
	}
	store := &theory.Memory{}
	if err := store.Put(ctx, rows); err != nil {
		return 0, err
	}
	t, err := theory.Open(ctx, othello.Standard, theory.Options{Store: store})
	if err != nil {
		return 0, err
	}
	if bad := t.Faults(); len(bad) > 0 {
		return 0, fmt.Errorf("%d places cannot be read: %w", len(bad), bad[0])
	}
	return t.Ship(w, level)
}

// row returns a place as a row of a theory.
func (p *Place) row() (theory.Row, error) {
	pos, err := p.position()
	if err != nil {
		return theory.Row{}, err
	}
	f := &p.leaf
	row := theory.Row{
		Key: p.Key, Position: game.FormatPosition(othello.Standard, pos), Level: f.Level,
		Value: engine.NoValue, Lower: engine.NoValue, Upper: engine.NoValue, Exact: engine.NoValue, Human: engine.NoValue,
	}
	if f.Square < none {
		row.Leaf = string([]byte{'a' + f.Square&7, '1' + f.Square>>3})
		row.Value, row.Lower, row.Upper = f.Value, f.Value-theory.MarginMid, f.Value+theory.MarginMid
		if f.Exact {
			row.Level, row.Lower, row.Upper = theory.LevelExact, f.Value, f.Value
			if f.Below {
				row.Lower = -64 * engine.Unit
			}
			if len(p.links) == 0 {
				row.Exact = f.Value
			}
		}
	}
	return row, nil
}
