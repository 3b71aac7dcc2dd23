package cluster

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/store/cluster/wire"
)

// schemaVersion is that of the tables below. A change of them raises it; Init
// brings older ones up to it, and nothing touches newer ones.
const schemaVersion = 1

// field is a column of a table.
type field struct{ name, kind string }

// layout is how a table is made.
type layout struct {
	name        string
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
		{name: "node", fields: fields("epoch UInt32, shard UInt16, replica UInt16, host String"), order: "epoch, shard, replica", local: true},
		{name: "meta", fields: fields("key String, value String, at UInt64"), order: "key, at"},
		{name: "log", order: "at, writer, seq", fields: fields("writer UInt32, seq UInt32, low UInt32, high UInt32, gone Array(UInt32), docs Array(UInt32), games Array(UInt32), " +
			"kinds Array(String), main Array(Int64), variations Array(Int64), plies Array(Int64), at DateTime DEFAULT now()")},
		{name: "claim", fields: fields("block UInt32, writer UInt32, nonce UInt64, at DateTime DEFAULT now()"), order: "block"},
		{name: "game", order: "doc", granularity: small, fields: fields("doc UInt32, kind String, key UInt64, head UInt64, plies UInt32, marked UInt8, added UInt32, " +
			"format String, encoding String, file String, number UInt32, offset Int64, record String, raw String")},
		{name: "known", fields: fields("k UInt64, what UInt8, kind String, doc UInt32, plies UInt32"), order: "what, k, doc", granularity: middle},
		{name: "line", fields: lineFields(), order: "kind, side, doc, line", granularity: middle},
		{name: "pos", fields: fields("kind String, hash UInt64, doc UInt32, line UInt16, ply UInt16, next UInt16, pic UInt8"), order: "kind, hash, doc, line", granularity: middle},
		{name: "corner", fields: fields("kind String, side UInt8, hash UInt64, doc UInt32"), order: "kind, side, hash, doc", granularity: middle},
		{name: "feat", fields: fields("kind String, side UInt8, feature UInt16, low UInt32, docs Array(UInt16)"), order: "kind, side, feature, low", granularity: middle},
		{name: "page", fields: fields("kind String, low UInt32, last UInt32, lines UInt16, docs String, body String"), order: "kind, low", granularity: tiny},
		{name: "mark", fields: fields("kind String, key UInt64, doc UInt32, line UInt16, owner UInt8, low UInt16, high UInt16, turn UInt32"), order: "kind, key, doc, line", granularity: middle},
		{name: "marked", fields: fields("kind String, key UInt64, turn UInt32, low UInt32, high UInt32, at DateTime DEFAULT now()"), order: "kind, key, turn, low", granularity: middle},
		{name: "comment", fields: fields("kind String, doc UInt32, folded String"), order: "kind, doc", granularity: middle},
		{name: "source", fields: fields("game UInt32, file String, number UInt32, offset Int64"), order: "game", granularity: middle},
		{name: "link", fields: fields("game UInt32, other UInt32, why String"), order: "game", granularity: middle},
	}
}

// lineFields are those of the table line: one for each column of package query,
// and the folded form of each text.
func lineFields() []field {
	list := fields("kind String, side UInt8, doc UInt32, line UInt16")
	for _, name := range numberNames {
		list = append(list, field{name, "Int32"})
	}
	for _, name := range textNames {
		list = append(list, field{name, "String"})
	}
	for _, name := range textNames {
		list = append(list, field{name + "_f", "String"})
	}
	return append(list, field{"body", "String"})
}

// bits has the documents of each feature as a bitmap, where servers know such.
// It is fed from the table feat: a row of it may stand for documents that no
// commit has, as one of feat may.
var bits = layout{name: "bits", fields: fields("kind String, side UInt8, feature UInt16, docs AggregateFunction(groupBitmap, UInt32)"), order: "kind, side, feature", granularity: small, engine: "AggregatingMergeTree"}

// bitsFeed feeds it with every block of feat, and fillBits with the rows of feat
// that a condition is true of, which may be there already.
var bitsFeed = "CREATE MATERIALIZED VIEW IF NOT EXISTS bits_feed TO bits AS " + bitsOf("")

func fillBits(where string) string { return "INSERT INTO bits " + bitsOf(" WHERE "+where) }

func bitsOf(where string) string {
	return "SELECT kind, side, feature, groupBitmapState(number) AS docs FROM (SELECT kind, side, feature, toUInt32(low + one) AS number FROM feat ARRAY JOIN docs AS one" + where + ") AS x GROUP BY kind, side, feature"
}

// replicatedTables names the tables that replicas share.
func replicatedTables() (names []string) {
	for _, l := range layouts() {
		if !l.local {
			names = append(names, l.name)
		}
	}
	return names
}

// site is where a table is made.
type site struct {
	database string
	shard    int // from 1
	replica  int // from 1; 0 where there is one of each
	caps     caps
}

// create returns the statement that makes a table where there is none.
func (l layout) create(p site) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE IF NOT EXISTS %s (", l.name)
	for i, f := range l.fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.name + " " + f.kind)
		if p.caps.codecs {
			b.WriteString(codec(f))
		}
	}
	engine := l.engine
	if engine == "" {
		engine = "MergeTree"
	}
	if p.replica > 0 && !l.local {
		engine = fmt.Sprintf("Replicated%s('/qipu/%s/%d/%s/%d', '%d')", engine, p.database, p.shard, l.name, schemaVersion, p.replica)
	} else {
		engine += "()"
	}
	granularity := l.granularity
	if granularity == 0 {
		granularity = coarse
	}
	fmt.Fprintf(&b, ") ENGINE = %s ORDER BY (%s) SETTINGS index_granularity = %d", engine, l.order, granularity)
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
			return fmt.Errorf("making the table %s: %w: if this server takes the place of a dead one, remove what ZooKeeper has of that first: see docs/scale.md", l.name, err)
		}
		if err != nil {
			return fmt.Errorf("making the table %s: %w", l.name, err)
		}
	}
	if !p.caps.bitmaps {
		return nil
	}
	a, err := inspect(ctx, line, p.database)
	if err != nil || a.bits {
		return err
	}
	for _, sql := range []string{bits.create(p), bitsFeed, fillBits(sqlAll)} {
		if err := line.Exec(ctx, sql); err != nil {
			return fmt.Errorf("making the table bits: %w", err)
		}
	}
	return nil
}

// codeReplicaExists is the code of REPLICA_IS_ALREADY_EXIST.
const codeReplicaExists = 253

// about is what a server says of itself and its part of the library.
type about struct {
	version release
	nodes   bool // it has the table of servers
	bits    bool
	schema  int
	id      string
}

// inspect asks a server what it is.
func inspect(ctx context.Context, line wire.Conn, database string) (a about, err error) {
	var text string
	if err := line.Query(ctx, "SELECT version() AS v", func() error { a.version = parseRelease(text); return nil }, &text); err != nil {
		return a, err
	}
	var name string
	var names []string
	sql := "SELECT name FROM system.tables WHERE database = '" + database + "'"
	if err := line.Query(ctx, sql, func() error { names = append(names, name); return nil }, &name); err != nil {
		return a, err
	}
	a.nodes = slices.Contains(names, "node")
	a.bits = slices.Contains(names, "bits") && slices.Contains(names, "bits_feed")
	if !slices.Contains(names, "meta") {
		return a, nil
	}
	values, err := readMeta(ctx, line)
	if err != nil {
		return a, err
	}
	a.id = values[metaID]
	if s := values[metaSchema]; s != "" {
		if a.schema, err = strconv.Atoi(s); err != nil {
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

// readMeta returns the newest value of each key.
func readMeta(ctx context.Context, line wire.Conn) (map[string]string, error) {
	values := map[string]string{}
	var key, value string
	err := line.Query(ctx, "SELECT key, value FROM meta ORDER BY key, at, value", func() error {
		values[key] = value
		return nil
	}, &key, &value)
	return values, err
}

// writeMeta sets the value of a key.
func writeMeta(ctx context.Context, line wire.Conn, key, value string) error {
	return line.Insert(ctx, "meta", []string{"key", "value", "at"}, []any{[]string{key}, []string{value}, []uint64{uint64(time.Now().UnixMilli())}})
}
