package retrieve

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"qipu/query"
)

// Order is an order of rows.
type Order uint8

// The orders. All but the first begin with the largest; rows that are equal in
// it come in the order of the store. Request.Reverse turns everything round,
// except that unknown dates stay last.
const (
	ByStore       Order = iota // by the number of the game: about the order of import
	ByOccurrences              // how often the pattern occurs in the game
	ByDate                     // the latest game first; unknown dates last
	ByRating                   // the higher of both ratings, and behind those the higher of both ranks
	ByLikeness                 // how like the board is to that of a fuzzy query, then the picture as drawn before others, then the fewest other pieces, then at how many positions
)

var orderNames = [...]string{"store", "occurrences", "date", "rating", "likeness"}

// Orders returns the names of all orders.
func Orders() []string { return orderNames[:] }

// String returns the name of the order.
func (o Order) String() string { return orderNames[o] }

// ParseOrder reads the name of an order.
func ParseOrder(name string) (Order, error) {
	if i := slices.Index(orderNames[:], name); i >= 0 {
		return Order(i), nil
	}
	return 0, fmt.Errorf("retrieve: no order is called %q: there are %s", name, strings.Join(Orders(), ", "))
}

func (o Order) value(r *Row) int64 {
	switch o {
	case ByOccurrences:
		return int64(r.Occurrences)
	case ByDate:
		return int64(r.Day)
	case ByRating:
		return int64(r.Rating)<<8 | int64(uint8(r.Rank))
	case ByLikeness:
		return int64(math.Float64bits(r.Likeness)) // which are in the order of the numbers
	}
	return 0
}

// cursor is the place behind the last row of a page. It names the row and not
// its number, so that games which come or go meanwhile shift nothing.
type cursor struct {
	Order   string `json:"o"`
	Reverse bool   `json:"r,omitempty"`
	Value   int64  `json:"v"`
	Rank    uint8  `json:"p,omitempty"` // of the picture, for ByLikeness
	Others  int32  `json:"m,omitempty"` // pieces beyond those asked for
	Plies   int32  `json:"n,omitempty"` // that are as like
	Game    uint32 `json:"g"`
	Query   string `json:"q"` // what was asked: see identity
}

// identity returns a hash of what a request asks for. It is not asked for but
// where there are several pages: writing down a position costs more than
// finding it. Games that have a name are known by it, since they may change
// between two pages.
func identity(r *Request) string {
	text := fmt.Appendf(nil, "%s\n%t\n", r.Kind.Name, r.Variations)
	if r.Query != nil {
		text = appendQuery(text, r.Query)
	}
	for _, part := range r.Also {
		text = appendQuery(fmt.Appendf(text, "\n%s\n", part.Kind.Name), part.Query)
	}
	h := fnv.New64a()
	h.Write(text)
	return strconv.FormatUint(h.Sum64(), 36)
}

// appendQuery appends a text that is the same for the same query. Printing a
// shape draws it, which costs more than its cells do.
func appendQuery(dst []byte, q query.Q) []byte {
	list := func(word string, parts ...query.Q) []byte {
		dst = append(dst, word...)
		for _, part := range parts {
			dst = appendQuery(append(dst, ' '), part)
		}
		return append(dst, ')')
	}
	switch q := q.(type) {
	case query.And:
		return list("(and", q...)
	case query.Or:
		return list("(or", q...)
	case query.Not:
		return list("(not", q.Q)
	case *query.Shape:
		p := q.Pattern
		dst = fmt.Appendf(dst, "(shape %v %d %d %d %t %t %d %d %d %v", p.Size, p.Anchor, p.Edges, p.At, p.Mirror, p.Swap, p.Turn, max(p.From, 0), max(p.To, -1), q.Next)
		for _, c := range p.Cells {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(c))
		}
		return append(dst, ')')
	case *query.Mark:
		return fmt.Appendf(dst, "(mark %v %d)", q, q.Of)
	}
	return append(dst, q.String()...)
}

func (c cursor) String() string {
	data, _ := json.Marshal(c) // numbers and a word: cannot fail
	return base64.RawURLEncoding.EncodeToString(data)
}

// cursorAt returns the cursor of what comes behind a row.
func cursorAt(r *Row, o Order, reverse bool, query string) cursor {
	c := cursor{Order: o.String(), Reverse: reverse, Value: o.value(r), Game: r.Game, Query: query}
	if o == ByLikeness {
		c.Rank, c.Others, c.Plies = r.rank, r.Others, r.Plies
	}
	return c
}

// ErrCursor tells that a cursor is none, or is of another query or order.
var ErrCursor = errors.New("is not one of this query")

// parseCursor returns as much of the row that a cursor names as decides where
// it stands.
func parseCursor(text string, order Order, reverse bool, query string) (*Row, error) {
	var c cursor
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.Order != order.String() || c.Reverse != reverse || c.Query != query {
		return nil, fmt.Errorf("retrieve: the cursor %q %w: begin again without one", text, ErrCursor)
	}
	last := &Row{Game: c.Game}
	switch order {
	case ByOccurrences:
		last.Occurrences = int32(c.Value)
	case ByDate:
		last.Day = int32(c.Value)
	case ByRating:
		last.Rating, last.Rank = uint16(c.Value>>8), int8(c.Value)
	case ByLikeness:
		last.Likeness, last.rank, last.Others, last.Plies = math.Float64frombits(uint64(c.Value)), c.Rank, c.Others, c.Plies
	}
	return last, nil
}

// pager keeps the rows of one page out of all that come: a query for a page
// costs no memory for the others.
type pager struct {
	request *Request
	order   Order
	reverse bool
	limit   int  // negative for all
	after   *Row // where the page begins; nil at the first

	// rows has at most one row more than the page, which tells that there is a
	// next one. It is sorted at all times, unless the page is long: then at the
	// end.
	rows []Row
}

// longPage is from how many rows on sorting them all at the end is cheaper than
// keeping them in order.
const longPage = 500

func newPager(r *Request) (p pager, err error) {
	p = pager{request: r, order: r.Order, reverse: r.Reverse, limit: r.Limit}
	if int(r.Order) >= len(orderNames) {
		return p, fmt.Errorf("retrieve: %d is no order", r.Order)
	}
	if p.limit == 0 {
		p.limit = defaultLimit
	}
	if r.Cursor != "" {
		p.after, err = parseCursor(r.Cursor, r.Order, r.Reverse, identity(r))
	}
	return p, err
}

// compare returns a negative number where x comes before y. No two rows are
// equal: each is of another game.
func (p *pager) compare(x, y *Row) int {
	n := 0
	if p.order != ByStore {
		n = cmp.Compare(p.order.value(y), p.order.value(x))
		if p.reverse && p.order == ByDate && (x.Day == 0) != (y.Day == 0) {
			return n
		}
	}
	if p.order == ByLikeness {
		n = cmp.Or(n, cmp.Compare(x.rank, y.rank), cmp.Compare(x.Others, y.Others), cmp.Compare(y.Plies, x.Plies))
	}
	if n == 0 {
		n = cmp.Compare(x.Game, y.Game)
	}
	if p.reverse {
		return -n
	}
	return n
}

func (p *pager) long() bool { return p.limit < 0 || p.limit > longPage }

// add takes a row, which it copies if it may be of the page.
func (p *pager) add(row *Row) {
	if p.after != nil && p.compare(row, p.after) <= 0 {
		return
	}
	if p.long() {
		p.rows = append(p.rows, *row)
		return
	}
	i := len(p.rows)
	if i > p.limit && p.compare(row, &p.rows[i-1]) > 0 {
		return
	}
	for i > 0 && p.compare(row, &p.rows[i-1]) < 0 {
		i--
	}
	p.rows = slices.Insert(p.rows, i, *row)
	if len(p.rows) > p.limit+1 {
		p.rows = p.rows[:p.limit+1]
	}
}

// page returns the rows of the page, and the cursor of the next one.
func (p *pager) page() ([]Row, string) {
	rows := p.rows
	if p.long() {
		slices.SortFunc(rows, func(x, y Row) int { return p.compare(&x, &y) })
	}
	if p.limit < 0 || len(rows) <= p.limit {
		return rows, ""
	}
	rows = rows[:p.limit:p.limit]
	last := &rows[p.limit-1]
	return rows, cursorAt(last, p.order, p.reverse, identity(p.request)).String()
}
