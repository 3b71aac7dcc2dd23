package tactics

import "qipu/game/weiqi"

// Position returns the position that is read.
func (r *Reader) Position() *weiqi.Position { return r.pos }
