package dataset

import (
	"bufio"
	"encoding/csv"
	"io"
	"strconv"
)

// WriteCSV writes a table as comma-separated values: a row of names, then a line a row.
// Items are 1 or 0, what is unknown is empty. Whose columns they are is told by their
// names: item:, factor: and judgement: come before those of items, factors and judgements,
// so that nobody takes a judgement for something that was known at the row's moment.
func (s *Set) WriteCSV(w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	out := csv.NewWriter(buffered)
	line := []string{"game", "ply", "weight"}
	for i := range s.Items {
		line = append(line, "item:"+s.Items[i].ID)
	}
	for i := range s.Numbers {
		line = append(line, s.Numbers[i].Name)
	}
	for i := range s.Factors {
		line = append(line, "factor:"+s.Factors[i].Name)
	}
	for i := range s.Judgements {
		line = append(line, "judgement:"+s.Judgements[i].Name)
	}
	if err := out.Write(line); err != nil {
		return err
	}
	float := func(x float64) string {
		if !Known(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	for r, row := range s.Rows {
		line = append(line[:0], strconv.Itoa(int(row.Game)), strconv.Itoa(int(row.Ply)), float(row.Weight))
		for i := range s.Items {
			cell := "0"
			if s.Items[i].Rows.Has(r) {
				cell = "1"
			}
			line = append(line, cell)
		}
		for i := range s.Numbers {
			line = append(line, float(s.Numbers[i].Values[r]))
		}
		for i := range s.Factors {
			line = append(line, s.Factors[i].Word(r))
		}
		for i := range s.Judgements {
			line = append(line, float(s.Judgements[i].Values[r]))
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return buffered.Flush()
}
