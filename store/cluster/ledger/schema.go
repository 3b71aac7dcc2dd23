package ledger

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/store/cluster/wire"
)

// SchemaVersion is that of the tables below. A change of them raises it; Init
// brings older ones up to it, and nothing touches newer ones.
const SchemaVersion = 1

// field is a column of a table.
type field struct{ name, kind string }

// layout is how a table is made.
type layout struct {
	Name        string
	fields      []field
	order       string
	granularity int
	engine      string // MergeTree where it is empty
	local       bool   // every server has its own, also where there are replicas
}

// fields reads columns that are written as in "doc UInt32, kind String".
func fields(s string) (list []field) {
	for one := range strings.SplitSeq(s, ", ") {
		name, kind, _ := strings.Cut(one, " ")
		list = append(list, field{name, kind})
	}
	return list
}

// Large granules suit tables that are read in ranges, small ones those of which
// single rows are wanted.
const (
	coarse = 8192
	middle = 1024
	small  = 256
	tiny   = 8
)

// layouts are all tables but bits. What they hold is told in doc.go and where
// they are written.
func layouts() []layout {
	return []layout{
		{Name: "node", fields: fields("epoch UInt32, shard UInt16, replica UInt16, host String"), order: "epoch, shard, replica", local: true},
		{Name: "meta", fields: fields("key String, value String, at UInt64"), order: "key, at"},
		{Name: "log", order: "at, writer, seq", fields: fields("writer UInt32, seq UInt32, low UInt32, high UInt32, gone Array(UInt32), docs Array(UInt32), games Array(UInt32), " +
			"kinds Array(String), main Array(Int64), variations Array(Int64), plies Array(Int64), at DateTime DEFAULT now()")},
		{Name: "claim", fields: fields("block UInt32, writer UInt32, nonce UInt64, at DateTime DEFAULT now()"), order: "block"},
		{Name: "game", order: "doc", granularity: small, fields: fields("doc UInt32, kind String, key UInt64, head UInt64, plies UInt32, marked UInt8, added UInt32, " +
			"format String, encoding String, file String, number UInt32, offset Int64, record String, raw String")},
		{Name: "known", fields: fields("k UInt64, what UInt8, kind String, doc UInt32, plies UInt32"), order: "what, k, doc", granularity: middle},
		{Name: "line", fields: lineFields(), order: "kind, side, doc, line", granularity: middle},
		{Name: "pos", fields: fields("kind String, hash UInt64, doc UInt32, line UInt16, ply UInt16, next UInt16, pic UInt8"), order: "kind, hash, doc, line", granularity: middle},
		{Name: "corner", fields: fields("kind String, side UInt8, hash UInt64, doc UInt32"), order: "kind, side, hash, doc", granularity: middle},
		{Name: "feat", fields: fields("kind String, side UInt8, feature UInt16, low UInt32, docs Array(UInt16)"), order: "kind, side, feature, low", granularity: middle},
		{Name: "page", fields: fields("kind String, low UInt32, last UInt32, lines UInt16, docs String, body String"), order: "kind, low", granularity: tiny},
		{Name: "mark", fields: fields("kind String, key UInt64, doc UInt32, line UInt16, owner UInt8, low UInt16, high UInt16, turn UInt32"), order: "kind, key, doc, line", granularity: middle},
		{Name: "marked", fields: fields("kind String, key UInt64, turn UInt32, low UInt32, high UInt32, at DateTime DEFAULT now()"), order: "kind, key, turn, low", granularity: middle},
		{Name: "comment", fields: fields("kind String, doc UInt32, folded String"), order: "kind, doc", granularity: middle},
		{Name: "source", fields: fields("game UInt32, file String, number UInt32, offset Int64"), order: "game", granularity: middle},
		{Name: "link", fields: fields("game UInt32, other UInt32, why String"), order: "game", granularity: middle},
		{Name: NoteTable, fields: fields("writer UInt64, seq UInt64, stamp UInt64, who String, data String"), order: "writer, seq", granularity: middle},
	}
}

// NoteTable is the table of what people made, on the first shard. Libraries of older
// programs have none until something is written to it.
const NoteTable = "note"

// MakeNotes makes the table of what people made where there is none.
func (l *Library) MakeNotes(ctx context.Context) error {
	list := layouts()
	at := slices.IndexFunc(list, func(x layout) bool { return x.Name == NoteTable })
	return l.Shards[0].EveryReplica(ctx, "making the table "+NoteTable, func(ctx context.Context, line wire.Conn) error {
		p := site{database: l.Config.Database, shard: 1, caps: l.Caps}
		var name string
		err := line.Query(ctx, "SELECT replica_name FROM system.replicas WHERE database = currentDatabase() AND table = 'meta'", func() (err error) {
			p.replica, err = strconv.Atoi(name)
			return err
		}, &name)
		if err != nil {
			return err
		}
		return line.Exec(ctx, list[at].create(p))
	})
}

// lineFields are those of the table line: one for each column of package query,
// and the folded form of each text.
func lineFields() []field {
	list := fields("kind String, side UInt8, doc UInt32, line UInt16")
	for _, name := range NumberNames {
		list = append(list, field{name, "Int32"})
	}
	for _, name := range TextNames {
		list = append(list, field{name, "String"})
	}
	for _, name := range TextNames {
		list = append(list, field{name + "_f", "String"})
	}
	return append(list, field{"body", "String"})
}

// Bits has the documents of each feature as a bitmap, where servers know such.
// It is fed from the table feat: a row of it may stand for documents that no
// commit has, as one of feat may.
var Bits = layout{Name: "bits", fields: fields("kind String, side UInt8, feature UInt16, docs AggregateFunction(groupBitmap, UInt32)"), order: "kind, side, feature", granularity: small, engine: "AggregatingMergeTree"}

// bitsFeed feeds it with every block of feat, and fillBits with the rows of feat
// that a condition is true of, which may be there already.
var bitsFeed = "CREATE MATERIALIZED VIEW IF NOT EXISTS bits_feed TO bits AS " + bitsOf("")

func FillBits(where string) string { return "INSERT INTO bits " + bitsOf(" WHERE "+where) }

func bitsOf(where string) string {
	return "SELECT kind, side, feature, groupBitmapState(number) AS docs FROM (SELECT kind, side, feature, toUInt32(low + one) AS number FROM feat ARRAY JOIN docs AS one" + where + ") AS x GROUP BY kind, side, feature"
}

// ReplicatedTables names the tables that replicas share.
func ReplicatedTables() (names []string) {
	for _, l := range layouts() {
		if !l.local {
			names = append(names, l.Name)
		}
	}
	return names
}

// site is where a table is made.
type site struct {
	database string
	shard    int // from 1
	replica  int // from 1; 0 where there is one of each
	caps     Caps
}

// create returns the statement that makes a table where there is none.
func (l layout) create(p site) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE IF NOT EXISTS %s (", l.Name)
	for i, f := range l.fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.name + " " + f.kind)
		if p.caps.Codecs {
			b.WriteString(codec(f))
		}
	}
	engine, settings := l.engine, ""
	if engine == "" {
		engine = "MergeTree"
	}
	if p.replica > 0 && !l.local {
		// A server that was killed may have a part that the others know nothing of. Where
		// it has few others, it does not start by itself, unless it is told to throw that
		// away and to fetch what it lacks.
		settings = ", replicated_max_ratio_of_wrong_parts = 1"
		engine = fmt.Sprintf("Replicated%s('/qipu/%s/%d/%s/%d', '%d')", engine, p.database, p.shard, l.Name, SchemaVersion, p.replica)
	} else {
		engine += "()"
	}
	granularity := l.granularity
	if granularity == 0 {
		granularity = coarse
	}
	fmt.Fprintf(&b, ") ENGINE = %s ORDER BY (%s) SETTINGS index_granularity = %d%s", engine, l.order, granularity, settings)
	return b.String()
}

// codec returns how a column is packed by servers that can choose. Numbers that
// rise are small differences; what has no such order is packed as it is.
func codec(f field) string {
	switch {
	case strings.Contains(f.kind, "DEFAULT") || strings.HasPrefix(f.kind, "AggregateFunction"):
		return ""
	case strings.HasPrefix(f.kind, "UInt") || strings.HasPrefix(f.kind, "Int"):
		switch f.name {
		case "hash", "doc", "k", "low":
			return " CODEC(Delta, ZSTD(1))"
		}
	}
	return " CODEC(ZSTD(1))"
}

// build makes all tables on a server, where there are none yet.
func build(ctx context.Context, line wire.Conn, p site) error {
	for _, l := range layouts() {
		err := line.Exec(ctx, l.create(p))
		if wire.Code(err) == codeReplicaExists {
			return fmt.Errorf("making the table %s: %w: if this server takes the place of a dead one, remove what ZooKeeper has of that first: see docs/scale.md", l.Name, err)
		}
		if err != nil {
			return fmt.Errorf("making the table %s: %w", l.Name, err)
		}
	}
	if !p.caps.Bitmaps {
		return nil
	}
	a, err := Inspect(ctx, line, p.database)
	if err != nil || a.Bits {
		return err
	}
	for _, sql := range []string{Bits.create(p), bitsFeed, FillBits(wire.Always)} {
		if err := line.Exec(ctx, sql); err != nil {
			return fmt.Errorf("making the table bits: %w", err)
		}
	}
	return nil
}

// codeReplicaExists is the code of REPLICA_IS_ALREADY_EXIST.
const codeReplicaExists = 253

// About is what a server says of itself and its part of the library.
type About struct {
	Version Release
	nodes   bool // it has the table of servers
	Bits    bool
	Schema  int
	Id      string
}

// Inspect asks a server what it is.
func Inspect(ctx context.Context, line wire.Conn, database string) (a About, err error) {
	var text string
	if err := line.Query(ctx, "SELECT version() AS v", func() error { a.Version = ParseRelease(text); return nil }, &text); err != nil {
		return a, err
	}
	var name string
	var names []string
	sql := "SELECT name FROM system.tables WHERE database = '" + database + "'"
	if err := line.Query(ctx, sql, func() error { names = append(names, name); return nil }, &name); err != nil {
		return a, err
	}
	a.nodes = slices.Contains(names, "node")
	a.Bits = slices.Contains(names, "bits") && slices.Contains(names, "bits_feed")
	if !slices.Contains(names, "meta") {
		return a, nil
	}
	values, err := ReadMeta(ctx, line)
	if err != nil {
		return a, err
	}
	a.Id = values[metaID]
	if s := values[metaSchema]; s != "" {
		if a.Schema, err = strconv.Atoi(s); err != nil {
			return a, fmt.Errorf("the table meta has the format %q", s)
		}
	}
	return a, nil
}

// The keys of the table meta.
const (
	metaSchema = "schema"
	metaID     = "id"
)

// ReadMeta returns the newest value of each key.
func ReadMeta(ctx context.Context, line wire.Conn) (map[string]string, error) {
	values := map[string]string{}
	var key, value string
	err := line.Query(ctx, "SELECT key, value FROM meta ORDER BY key, at, value", func() error {
		values[key] = value
		return nil
	}, &key, &value)
	return values, err
}

// WriteMeta sets the value of a key.
func WriteMeta(ctx context.Context, line wire.Conn, key, value string) error {
	return line.Insert(ctx, "meta", []string{"key", "value", "at"}, []any{[]string{key}, []string{value}, []uint64{uint64(time.Now().UnixMilli())}})
}

// Caps is what all servers can do, as far as they could be asked.
type Caps struct {
	Version Release
	Bitmaps bool // there is the table bits
	Codecs  bool
}

// Release is the version of a server, as in 18.16.
type Release struct{ Major, minor int }

func (v Release) String() string { return fmt.Sprintf("%d.%d", v.Major, v.minor) }

// Before reports whether v is older than another.
func (v Release) Before(o Release) bool {
	return v.Major < o.Major || v.Major == o.Major && v.minor < o.minor
}

// ReleaseOf returns a version by its parts.
func ReleaseOf(major, minor int) Release { return Release{major, minor} }

// ParseRelease reads what version() says.
func ParseRelease(s string) (v Release) {
	list := strings.Split(s, ".")
	if len(list) >= 2 {
		v.Major, _ = strconv.Atoi(list[0])
		v.minor, _ = strconv.Atoi(list[1])
	}
	return v
}

// CapsOf returns what a server of a version can do.
func CapsOf(v Release) Caps {
	modern := !v.Before(Release{20, 8})
	return Caps{Version: v, Bitmaps: modern, Codecs: modern}
}

// NumberNames and textNames are the columns of package query in the table line.
var (
	NumberNames = []string{"plies", "komi", "handicap", "margin", "result", "rating1", "rating2", "rank1", "rank2", "day1", "day2"}
	TextNames   = []string{"first", "second", "event", "opening", "code", "round", "place", "team1", "team2", "ruleset", "how", "origin", "author", "format", "file"}
)
