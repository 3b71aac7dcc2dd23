package api

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"

	"qipu/game"
	"qipu/library/studies"
	"qipu/record"
	"qipu/store"
	"qipu/store/sheets"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
	"qipu/view/recordview"
)

// The parameters that several operations share. What is embedded in an input has
// to be exported, or the interface would not see it.

// Asking is a query about a library.
type Asking struct {
	Query      string `query:"q" maxLength:"65536" doc:"A query; empty for all games" example:"player:\"Ke Jie\" since 2015"`
	Game       string `query:"game" maxLength:"100" doc:"The kind of game that is meant, as in go, weiqi:9x9, xiangqi; else what the query says" example:"weiqi"`
	Variations bool   `query:"variations" doc:"Look into the lines beside the main ones, too"`
	Partial    bool   `query:"partial" doc:"Answer without servers of the library that cannot be reached; the answer says so"`
}

// Listing is which page of a list is wanted.
type Listing struct {
	Sort    string `query:"sort" enum:"store,occurrences,date,rating,likeness," doc:"The order of the games; else the most like first for a fuzzy query, and that of the library for others"`
	Reverse bool   `query:"reverse" doc:"The other way round"`
	Limit   int    `query:"limit" minimum:"1" maximum:"500" default:"30" doc:"Games a page"`
	Cursor  string `query:"cursor" maxLength:"400" doc:"Of the page: next of the answer before"`
	Boards  bool   `query:"boards" doc:"Tell the board of every game at the ply of the hit, and the move behind it"`
	Writing
}

// Placed is a position of a game.
type Placed struct {
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"othello"`
	Line string `query:"line" maxLength:"65536" doc:"Moves from the start in any notation, or a position text, or a position text, the word moves and moves; empty for the start" example:"f5 d6 c3"`
	Play string `query:"play" maxLength:"100" doc:"A move to play on it: in any notation, or by the names of its points, as in e3-e4"`
	Back int    `query:"back" minimum:"0" maximum:"100000" doc:"Moves to take back first"`
}

// Writing is how moves are written.
type Writing struct {
	Write string `query:"notation" maxLength:"40" doc:"How moves are written; the usual notation of the game if empty"`
}

// Page returns a page of a list that is at hand as a whole, and the cursor of
// the next one: the number of its first item.
func Page[T any](list []T, cursor string, limit int) (page []T, next string, err error) {
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 0 {
			return nil, "", Bad("cursor", "Begin again without a cursor.", "%q is no cursor of this list", cursor)
		}
	}
	page = list[min(from, len(list)):]
	if len(page) > limit {
		page, next = page[:limit], strconv.Itoa(from+limit)
	}
	return page, next, nil
}

// NamedInput names something.
type NamedInput struct {
	Name string `path:"name" maxLength:"200" doc:"The name that it has"`
}

// RenameInput gives it another name.
type RenameInput struct {
	NamedInput
	Body view.NewName
}

// NewName checks a name that something is to have.
func NewName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || strings.ContainsFunc(name, unicode.IsControl) {
		return "", Bad("name", "Write one line with at least one letter.", "%q is no name", name)
	}
	return name, nil
}

// Seed returns one that nobody chose. It is small enough for every reader of JSON.
func Seed() uint64 { return rand.Uint64()>>12 | 1 }

// IDInput names a record.
type IDInput struct {
	ID uint32 `path:"id" doc:"The number of the record"`
}

// Moment names a moment of a record.
type Moment struct {
	IDInput
	Writing
	Ply  int `query:"ply" minimum:"-1" default:"-1" doc:"Of the main line; -1 for the end"`
	Node int `query:"node" minimum:"0" doc:"A node of the tree instead, where it is not 0"`
	Sheet
	Seen int `query:"seen" minimum:"0" doc:"The revision of the sheet that is meant, which tells answers apart that are kept"`
}

// Sheet names what somebody has written on a record.
type Sheet struct {
	Of string `query:"of" maxLength:"60" doc:"A sheet above the record: library, mine, or the id of a profile"`
}

// Words for sheets.
const (
	LibrarySheet = "library" // that which the editors share
	OwnSheet     = "mine"    // of whoever asks
)

// Key returns the sheet that a request is about, where whoever asks may read it.
func (s *Service) Key(ctx context.Context, id uint32, of string) (studies.Key, error) {
	who := store.Who(ctx)
	k := studies.Key{Record: id, Owner: of}
	switch of {
	case "", OwnSheet:
		k.Owner = who
	case LibrarySheet:
		k.Owner = ""
	}
	if k.Owner == "" || k.Owner == who {
		return k, nil
	}
	sharing, err := s.Lib.Studies().Sharing(ctx, k)
	if err == nil && (sharing == sheets.Private || sharing == sheets.Members && !s.May(ctx, Members)) {
		err = sheets.ErrNone
	}
	return k, err
}

// record returns the record of a moment, with what was written on it where that is meant.
func (s *Service) record(ctx context.Context, in *Moment) (g *record.Game, meta *store.Game, err error) {
	if g, meta, err = s.Lib.Record(ctx, in.ID); err != nil || in.Of == "" {
		return g, meta, err
	}
	k, err := s.Key(ctx, in.ID, in.Of)
	if err == nil {
		err = s.Lib.Studies().View(ctx, k, func(p *studies.Page) error {
			g = p.Log.Tree().Game()
			return nil
		})
	}
	return g, meta, err
}

// Stand returns the position that the parameters name. Moves are to be written
// in the notation.
func (s *Service) Stand(in *Placed, notation string) (*gameview.Standing, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	write, err := k.Notation(notation)
	if err != nil {
		return nil, err
	}
	at, err := k.Stand(in.Line, in.Back, in.Play)
	if err != nil {
		return nil, err
	}
	at.Write = write
	return at, nil
}

// Written returns the kind of a game, and a notation that it has.
func (s *Service) Written(g *store.Game, notation string) (*gameview.Kind, game.Notation, error) {
	k, err := s.Kinds.Find(answerview.SummaryOf(s.Lib.Records().Kinds(), g).Game)
	if err != nil {
		return nil, "", err
	}
	write, err := k.Notation(notation)
	return k, write, err
}

// Moment returns a moment of a record.
func (s *Service) Moment(ctx context.Context, in *Moment) (*recordview.Moment, error) {
	g, meta, err := s.record(ctx, in)
	if err != nil {
		return nil, err
	}
	k, write, err := s.Written(meta, in.Write)
	if err != nil {
		return nil, err
	}
	return recordview.MomentOf(k, g, s.Rows.RulesOf(g), write, in.Ply, in.Node)
}
