package catalog_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"qipu/store/shard/internal/catalog"
)

// TestRemainsKnowSchema compares what a salvage takes for a row of each table with
// the schema: a table that is added or changed is salvaged, or named here.
func TestRemainsKnowSchema(t *testing.T) {
	dir := t.TempDir()
	db, err := catalog.Open(t.Context(), dir, catalog.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	raw, err := sql.Open("sqlite", filepath.Join(dir, catalog.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	rows, err := raw.Query(`SELECT s.name, s.sql LIKE '%WITHOUT ROWID%', c.type, c."notnull", c.pk > 0 FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'table' ORDER BY s.rowid, c.cid`)
	if err != nil {
		t.Fatal(err)
	}
	schema := map[string]string{}
	for rows.Next() {
		var name, kind string
		var tree, required, key bool
		if err := rows.Scan(&name, &tree, &kind, &required, &key); err != nil {
			t.Fatal(err)
		}
		letter := map[string]string{"INTEGER": "i", "REAL": "r", "TEXT": "t", "BLOB": "b"}[kind]
		switch {
		case key && !tree:
			letter = "k"
		case !required && !key:
			letter = strings.ToUpper(letter)
		}
		schema[name] += letter
		if tree && !strings.HasPrefix(schema[name], "/") {
			schema[name] = "/" + schema[name]
		}
	}
	delete(schema, "meta") // counters, which are told by the rows that there are
	delete(schema, "lane") // of processes that are gone
	known := catalog.RemainsColumns()
	for name, columns := range schema {
		if known[name] != columns {
			t.Errorf("table %s has the columns %q, and a salvage looks for %q", name, columns, known[name])
		}
	}
}
