package ask

import "qipu/index"

// OnBind has somebody be told whenever a question is bound to a kind of game.
func (sr *Searcher) OnBind(told func(*index.Kind)) { sr.onBind = told }
