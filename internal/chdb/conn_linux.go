package chdb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	chproto "github.com/ClickHouse/ch-go/proto"
	"github.com/ClickHouse/clickhouse-go/v2/lib/column"
	"github.com/ClickHouse/clickhouse-go/v2/lib/proto"
)

// errEnded is returned by connections and sessions that were closed.
var errEnded = errors.New("chdb: the session or the connection was closed")

// Conn is a connection: it has a database, and settings that SET changes. Its
// methods may be called at the same time, and then take turns. A statement that
// runs is not interrupted when its context ends: that is seen before it starts
// and between the rows of its answer.
type Conn struct {
	session *Session

	mu     sync.Mutex
	handle *uintptr // nil: closed
}

// Close ends the connection, after the statement that runs.
func (c *Conn) Close() error {
	c.session.mu.Lock()
	delete(c.session.conns, c)
	c.session.mu.Unlock()
	c.end()
	return nil
}

func (c *Conn) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.handle != nil {
		engine.close(c.handle)
		c.handle = nil
	}
}

// Exec runs a statement that returns nothing.
func (c *Conn) Exec(ctx context.Context, sql string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := c.run(sql)
	return err
}

// Query runs a statement, and for each row of its answer fills dest, which are
// pointers, and calls row. An error of row ends it. The answer is read as a whole
// first, so row may use the connection.
func (c *Conn) Query(ctx context.Context, sql string, row func() error, dest ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	answer, err := c.run(sql)
	if err != nil {
		return err
	}
	for r := chproto.NewReader(bytes.NewReader(answer)); ; {
		b := proto.NewBlock()
		if err := b.Decode(r, 0); err != nil {
			if errors.Is(err, io.EOF) && b.Columns == nil {
				return nil
			}
			return fmt.Errorf("chdb: the answer does not decode: %w", err)
		}
		if len(b.Columns) != len(dest) {
			return fmt.Errorf("chdb: an answer of %d columns for %d values", len(b.Columns), len(dest))
		}
		for i := range b.Rows() {
			if err := ctx.Err(); err != nil {
				return err
			}
			for j, to := range dest {
				if err := b.Columns[j].ScanRow(to, i); err != nil {
					return fmt.Errorf("chdb: column %s: %w", b.Columns[j].Name(), err)
				}
			}
			if err := row(); err != nil {
				return err
			}
		}
	}
}

// Insert adds rows to a table as one block: all of them or none. Columns are
// slices of one length, in the order of names.
func (c *Conn) Insert(ctx context.Context, table string, names []string, columns []any) error {
	types := map[string]string{}
	var name, kind, a string
	err := c.Query(ctx, "DESCRIBE TABLE "+table, func() error {
		types[name] = kind
		return nil
	}, &name, &kind, &a, &a, &a, &a, &a)
	if err != nil {
		return err
	}
	if len(names) != len(columns) {
		return fmt.Errorf("chdb: insert into %s: %d names for %d columns", table, len(names), len(columns))
	}
	b := proto.NewBlock()
	for i, name := range names {
		kind, ok := types[name]
		if !ok {
			return fmt.Errorf("chdb: insert into %s: it has no column %s", table, name)
		}
		if err := b.AddColumn(name, column.Type(kind)); err != nil {
			return fmt.Errorf("chdb: insert into %s: column %s: %w", table, name, err)
		}
		if _, err := b.Columns[i].Append(columns[i]); err != nil {
			return fmt.Errorf("chdb: insert into %s: column %s: %w", table, name, err)
		}
	}
	var buffer chproto.Buffer
	if err := b.Encode(&buffer, 0); err != nil {
		return fmt.Errorf("chdb: insert into %s: %w", table, err)
	}
	if b.Rows() == 0 {
		return nil
	}
	return c.insert("INSERT INTO "+table+" ("+strings.Join(names, ", ")+")", buffer.Buf)
}

// native is the format of blocks, in both directions.
const native = "Native"

// run runs a statement and returns its answer.
func (c *Conn) run(sql string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.handle == nil {
		return nil, errEnded
	}
	return take(engine.query(*c.handle, []byte(sql), uint(len(sql)), native, uint(len(native))))
}

// insert runs an INSERT with its data.
func (c *Conn) insert(sql string, data []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.handle == nil {
		return errEnded
	}
	stream := engine.open(*c.handle, []byte(sql), uint(len(sql)), native, uint(len(native)))
	defer engine.destroy(stream)
	if text := engine.trouble(stream); text != "" {
		return failure(text)
	}
	if state := engine.append(stream, data, uint(len(data))); state != 0 {
		return failure(engine.trouble(stream))
	}
	_, err := take(engine.done(stream))
	return err
}

// take copies what a result holds and frees it.
func take(result uintptr) ([]byte, error) {
	defer engine.free(result)
	if text := engine.error(result); text != "" {
		return nil, failure(text)
	}
	answer := make([]byte, engine.length(result))
	if len(answer) > 0 {
		engine.memcpy(answer, engine.buffer(result), uint(len(answer)))
	}
	return answer, nil
}

var coded = regexp.MustCompile(`Code: (\d+)\. (?:DB::Exception: )?`)

// failure turns the words of the engine into the error that a server's would be.
func failure(text string) error {
	e := &proto.Exception{Name: "DB::Exception", Message: text}
	if at := coded.FindStringSubmatchIndex(text); at != nil {
		code, err := strconv.ParseInt(text[at[2]:at[3]], 10, 32)
		if err == nil {
			e.Code, e.Message = int32(code), text[at[1]:]
		}
	}
	return e
}
