package search

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// Names yields the texts of a column. The servers count, and what they say is
// added up: it is held in memory, a text once.
func (v *view) Names(ctx context.Context, k *index.Kind, col query.Column) iter.Seq2[index.Name, error] {
	return func(yield func(index.Name, error) bool) {
		if col >= query.TextColumns {
			return
		}
		var mu sync.Mutex
		all := map[string]*index.Name{}
		err := v.ask(ctx, "names", func(ctx context.Context, s *wire.Shard) error {
			for g := range v.now.Groups(1<<32, ledger.GroupSpans, ledger.GroupDead) {
				sql := namesSQL(k, col, &g)
				var found []index.Name
				err := s.Read(ctx, "names", func(db wire.Conn) error {
					found = found[:0]
					var text, folded string
					var n uint64
					return db.Query(ctx, sql, func() error {
						found = append(found, index.Name{Text: text, Folded: folded, Games: int(n)})
						return nil
					}, &text, &folded, &n)
				})
				if err != nil {
					return err
				}
				mu.Lock()
				for _, name := range found {
					if have := all[name.Text]; have != nil {
						have.Games += name.Games
					} else {
						one := name
						all[name.Text] = &one
					}
				}
				mu.Unlock()
			}
			return nil
		})
		if err != nil {
			yield(index.Name{}, err)
			return
		}
		list := slices.SortedFunc(maps.Values(all), func(x, y *index.Name) int {
			return cmp.Or(strings.Compare(x.Folded, y.Folded), strings.Compare(x.Text, y.Text))
		})
		for _, name := range list {
			if !yield(*name, nil) {
				return
			}
		}
	}
}

// namesSQL returns the statement that counts the texts of a column over the
// living documents of a group.
func namesSQL(k *index.Kind, col query.Column, g *ledger.Group) string {
	cond := "side = 0"
	if k != nil {
		cond = "kind = " + wire.Quote(k.Name) + " AND " + cond
	}
	cond += " AND " + g.Visible()
	text, folded := nameSQL(col), foldedSQL(col)
	return fmt.Sprintf("SELECT %s, %s, count() AS n FROM line WHERE %s AND %s != '' GROUP BY %s, %s", text, folded, cond, text, text, folded)
}

// Comments returns the games in one of whose comments a text stands.
func (v *view) Comments(ctx context.Context, k *index.Kind, folded string) (*roaring.Bitmap, error) {
	cond := wire.Always
	if k != nil {
		cond = "kind = " + wire.Quote(k.Name)
	}
	if folded != "" {
		cond = wire.And(cond, fmt.Sprintf("position(folded, %s) > 0", wire.Quote(folded)))
	}
	var mu sync.Mutex
	games := roaring.New()
	err := v.ask(ctx, "comments", func(ctx context.Context, s *wire.Shard) error {
		docs := roaring.New()
		err := s.Read(ctx, "comments", func(db wire.Conn) error {
			docs.Clear()
			var doc uint32
			return db.Query(ctx, "SELECT doc FROM comment WHERE "+cond, func() error {
				docs.Add(doc)
				return nil
			}, &doc)
		})
		if err != nil {
			return err
		}
		docs.And(v.Documents())
		mu.Lock()
		defer mu.Unlock()
		for it := docs.Iterator(); it.HasNext(); {
			games.Add(v.now.Game(it.Next()))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return games, nil
}
