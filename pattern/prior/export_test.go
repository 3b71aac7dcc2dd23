package prior

import "qipu/game/weiqi"

// Position returns the position that the board follows. It must be changed
// through the board alone.
func (b *Board) Position() *weiqi.Position { return b.pos }

// Set returns the families of contexts that the model has.
func (m *Model) Set() Set { return m.set }

// Source tells what the weights were made of.
func (m *Model) Source() string { return m.source }
