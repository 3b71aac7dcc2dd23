package chdb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/proto"
)

// conn returns a connection to a database, which is made where it is not there.
func conn(t *testing.T, s *Session, database string) *Conn {
	t.Helper()
	first, err := s.Conn("")
	if err != nil {
		t.Fatal(err)
	}
	do(t, first, "CREATE DATABASE IF NOT EXISTS `"+database+"`")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := s.Conn(database)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func do(t *testing.T, c *Conn, sql string) {
	t.Helper()
	if err := c.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// ask returns the values of the one column of an answer.
func ask[T any](t *testing.T, c *Conn, sql string) []T {
	t.Helper()
	var list []T
	var v T
	if err := c.Query(t.Context(), sql, func() error { list = append(list, v); return nil }, &v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return list
}

func TestTypes(t *testing.T) {
	c := conn(t, Open(t, t.TempDir()), "types")
	long := strings.Repeat("棋", 100000)
	for _, tt := range []struct {
		kind   string
		values any
	}{
		{"UInt8", []uint8{0, 1, math.MaxUint8}},
		{"UInt16", []uint16{0, 1, math.MaxUint16}},
		{"UInt32", []uint32{0, 1, math.MaxUint32}},
		{"UInt64", []uint64{0, 1, 1 << 63, math.MaxUint64}},
		{"Int32", []int32{math.MinInt32, -1, 0, math.MaxInt32}},
		{"Int64", []int64{math.MinInt64, -1, 0, math.MaxInt64}},
		{"String", []string{"", "a\x00b", "\xff\xfe\x80", "围棋\n'`\\", long}},
		{"Array(UInt16)", [][]uint16{{}, {0}, {1, 2, math.MaxUint16}}},
		{"Array(UInt32)", [][]uint32{{}, {math.MaxUint32, 0}}},
		{"Array(Int64)", [][]int64{{}, {math.MinInt64, 1}}},
		{"Array(String)", [][]string{{}, {""}, {"a\x00", "\xff", "黑"}}},
		{"DateTime", []time.Time{time.Unix(1, 0), time.Unix(1700000000, 0)}},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			do(t, c, "DROP TABLE IF EXISTS t")
			do(t, c, "CREATE TABLE t (n UInt32, v "+tt.kind+") ENGINE = MergeTree() ORDER BY n SETTINGS index_granularity = 256")
			want := reflect.ValueOf(tt.values)
			var n []uint32
			for i := range want.Len() {
				n = append(n, uint32(i))
			}
			if err := c.Insert(t.Context(), "t", []string{"n", "v"}, []any{n, tt.values}); err != nil {
				t.Fatal(err)
			}
			got := reflect.MakeSlice(want.Type(), 0, 0)
			v := reflect.New(want.Type().Elem())
			err := c.Query(t.Context(), "SELECT v FROM t ORDER BY n", func() error {
				got = reflect.Append(got, v.Elem())
				return nil
			}, v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if tt.kind == "DateTime" {
				for i, at := range tt.values.([]time.Time) {
					if !at.Equal(got.Interface().([]time.Time)[i]) {
						t.Errorf("got %v, want %v", got.Index(i), at)
					}
				}
			} else if !reflect.DeepEqual(got.Interface(), tt.values) {
				t.Errorf("got %.200v, want %.200v", got, want)
			}
		})
	}
}

// TestInsert checks what an insert leaves out, and that a wrong one adds nothing.
func TestInsert(t *testing.T) {
	c := conn(t, Open(t, t.TempDir()), "insert")
	do(t, c, "CREATE TABLE t (a UInt32, at DateTime DEFAULT now()) ENGINE = MergeTree() ORDER BY a")
	if err := c.Insert(t.Context(), "t", []string{"a"}, []any{[]uint32{3, 1, 2}}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what, table string
		names       []string
		columns     []any
	}{
		{"no table", "u", []string{"a"}, []any{[]uint32{1}}},
		{"no column", "t", []string{"b"}, []any{[]uint32{1}}},
		{"another type", "t", []string{"a"}, []any{[]string{"1"}}},
		{"another length", "t", []string{"a", "at"}, []any{[]uint32{1}, []time.Time{}}},
		{"more names", "t", []string{"a", "at"}, []any{[]uint32{1}}},
	} {
		if err := c.Insert(t.Context(), tt.table, tt.names, tt.columns); err == nil {
			t.Errorf("%s: no error", tt.what)
		}
	}
	if err := c.Insert(t.Context(), "t", []string{"a"}, []any{[]uint32{}}); err != nil {
		t.Errorf("no rows: %v", err)
	}
	if got := ask[uint32](t, c, "SELECT a FROM t WHERE at > 0 ORDER BY a"); !slices.Equal(got, []uint32{1, 2, 3}) {
		t.Errorf("got %v", got)
	}
	if got := ask[uint64](t, c, "SELECT count() FROM system.parts WHERE active AND database = 'insert'"); !slices.Equal(got, []uint64{1}) {
		t.Errorf("%v parts, want one for the one insert", got)
	}
}

// TestBitmaps checks the functions that servers of 2018 do not have: a view that
// turns rows into bitmaps, and compression by column.
func TestBitmaps(t *testing.T) {
	c := conn(t, Open(t, t.TempDir()), "bitmaps")
	do(t, c, "CREATE TABLE feat (feature UInt16, low UInt32 CODEC(Delta, ZSTD), docs Array(UInt16)) ENGINE = MergeTree() ORDER BY (feature, low)")
	do(t, c, "CREATE TABLE bits (feature UInt16, docs AggregateFunction(groupBitmap, UInt32)) ENGINE = AggregatingMergeTree() ORDER BY feature")
	// The sum stands in a query of its own: beside the name docs of the result it
	// would mean that one.
	do(t, c, "CREATE MATERIALIZED VIEW feed TO bits AS SELECT feature, groupBitmapState(doc) AS docs FROM "+
		"(SELECT feature, toUInt32(low + arrayJoin(docs)) AS doc FROM feat) AS f GROUP BY feature")
	for low := range uint32(3) {
		err := c.Insert(t.Context(), "feat", []string{"feature", "low", "docs"},
			[]any{[]uint16{1, 2}, []uint32{low * 100, low * 100}, [][]uint16{{1, 2, 3}, {2, 3, 4}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	got := ask[[]uint32](t, c, "SELECT bitmapToArray(bitmapAnd("+
		"(SELECT groupBitmapMergeState(docs) FROM bits WHERE feature = 1), (SELECT groupBitmapMergeState(docs) FROM bits WHERE feature = 2)))")
	for _, list := range got {
		slices.Sort(list)
	}
	if want := [][]uint32{{2, 3, 102, 103, 202, 203}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestSessions checks that databases and settings are those of a connection, and
// that a folder keeps what was written.
func TestSessions(t *testing.T) {
	dir := t.TempDir()
	t.Run("first", func(t *testing.T) {
		s := Open(t, dir)
		one, two := conn(t, s, "one"), conn(t, s, "two")
		for i, c := range []*Conn{one, two} {
			do(t, c, "CREATE TABLE t (a UInt32) ENGINE = MergeTree() ORDER BY a")
			if err := c.Insert(t.Context(), "t", []string{"a"}, []any{[]uint32{uint32(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		do(t, one, "SET max_result_rows = 12345")
		if got := ask[string](t, two, "SELECT toString(getSetting('max_result_rows'))"); !slices.Equal(got, []string{"0"}) {
			t.Errorf("a setting of another connection: %v", got)
		}
		var e *proto.Exception
		if _, err := s.Conn("nowhere"); !errors.As(err, &e) || e.Code != 81 {
			t.Errorf("no such database: %v", err)
		}
		if err := one.Close(); err != nil {
			t.Fatal(err)
		}
		if err := one.Exec(t.Context(), "SELECT 1"); !errors.Is(err, errEnded) {
			t.Errorf("a closed connection: %v", err)
		}
		if got := ask[uint32](t, two, "SELECT a FROM t"); !slices.Equal(got, []uint32{1}) {
			t.Errorf("two has %v", got)
		}
	})
	t.Run("other folder", func(t *testing.T) {
		c := conn(t, Open(t, t.TempDir()), "one")
		if got := ask[string](t, c, "SHOW TABLES"); got != nil {
			t.Errorf("a new folder has %v", got)
		}
	})
	t.Run("again", func(t *testing.T) {
		c := conn(t, Open(t, dir), "one")
		if got := ask[uint32](t, c, "SELECT a FROM t"); !slices.Equal(got, []uint32{0}) {
			t.Errorf("one has %v", got)
		}
	})
}

func TestQuery(t *testing.T) {
	c := conn(t, Open(t, t.TempDir()), "query")

	t.Run("many blocks", func(t *testing.T) {
		list := ask[uint64](t, c, "SELECT number FROM numbers(300000) ORDER BY number")
		if len(list) != 300000 || list[299999] != 299999 {
			t.Errorf("%d rows", len(list))
		}
	})
	t.Run("a long statement", func(t *testing.T) {
		do(t, c, "SET max_query_size = 100000000")
		sql := "SELECT count() FROM numbers(10) WHERE number IN (" + strings.Repeat("1, 2, 3, ", 40000) + "4)"
		if got := ask[uint64](t, c, sql); !slices.Equal(got, []uint64{4}) {
			t.Errorf("got %v", got)
		}
	})
	t.Run("a query for a row", func(t *testing.T) {
		var n uint64
		var inner []uint64
		err := c.Query(t.Context(), "SELECT number FROM numbers(3)", func() error {
			inner = append(inner, ask[uint64](t, c, fmt.Sprintf("SELECT toUInt64(%d)", n*n))...)
			return nil
		}, &n)
		if err != nil || !slices.Equal(inner, []uint64{0, 1, 4}) {
			t.Errorf("got %v, %v", inner, err)
		}
	})
	t.Run("errors", func(t *testing.T) {
		var e *proto.Exception
		if err := c.Exec(t.Context(), "SELECT 1 FROM nowhere"); !errors.As(err, &e) || e.Code != 60 {
			t.Errorf("no table: %v", err)
		}
		if err := c.Exec(t.Context(), "SELEKT 1"); !errors.As(err, &e) || e.Code != 62 {
			t.Errorf("no statement: %v", err)
		}
		if err := c.Exec(t.Context(), "SELECT sleepEachRow(1) FROM numbers(3) SETTINGS max_block_size = 1, max_execution_time = 1"); !errors.As(err, &e) || e.Code != 159 {
			t.Errorf("too long: %v", err)
		}
		var a, b uint8
		if err := c.Query(t.Context(), "SELECT toUInt8(1)", func() error { return nil }, &a, &b); err == nil {
			t.Error("one column for two values: no error")
		}
		stop := errors.New("stop")
		if err := c.Query(t.Context(), "SELECT toUInt8(1)", func() error { return stop }, &a); err != stop {
			t.Errorf("an error of row: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if err := c.Query(ctx, "SELECT toUInt8(number) FROM numbers(2)", func() error { cancel(); return nil }, &a); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		if err := c.Insert(ctx, "t", []string{"a"}, []any{[]uint8{1}}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled before: %v", err)
		}
	})
}

// TestTogether uses several connections at the same time, while Golang goes on
// with what it needs signals for.
func TestTogether(t *testing.T) {
	s := Open(t, t.TempDir())
	var group sync.WaitGroup
	for i := range 4 {
		c := conn(t, s, fmt.Sprint("together", i%2))
		group.Go(func() {
			table := fmt.Sprint("t", i)
			if err := c.Exec(t.Context(), "CREATE TABLE "+table+" (a UInt32) ENGINE = MergeTree() ORDER BY a"); err != nil {
				t.Error(err)
				return
			}
			for n := range 10 {
				if err := c.Insert(t.Context(), table, []string{"a"}, []any{slices.Repeat([]uint32{uint32(n)}, 1000)}); err != nil {
					t.Error(err)
				}
			}
			var n uint64
			if err := c.Query(t.Context(), "SELECT count() FROM "+table, func() error { return nil }, &n); err != nil || n != 10000 {
				t.Errorf("%d rows, %v", n, err)
			}
		})
	}
	group.Go(func() {
		for range 100 {
			if !panics() {
				t.Error("a nil pointer is not seen any more")
			}
			time.Sleep(time.Millisecond)
		}
	})
	group.Wait()
}

// panics reports whether a nil pointer ends in a panic, as it must.
func panics() (yes bool) {
	defer func() { yes = recover() != nil }()
	var p *[4]int
	return p[1] == 1
}
