package cli

// Drop takes a column off a table.
func (t *Table) Drop(i int) {
	t.Columns = append(t.Columns[:i:i], t.Columns[i+1:]...)
	for k, row := range t.Rows {
		t.Rows[k] = append(row[:i:i], row[i+1:]...)
	}
}
