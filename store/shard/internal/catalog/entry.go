package catalog

import (
	"database/sql/driver"

	"qipu/record/facts"
)

func rankOf(n int) facts.Rank {
	switch {
	case n <= 0 || n == 100 || n == 200 || n == 300:
		return facts.Rank{}
	case n < 100:
		return facts.Rank{Grade: 100 - n, Scale: 'k'}
	case n < 200:
		return facts.Rank{Grade: n - 100, Scale: 'd'}
	case n < 300:
		return facts.Rank{Grade: n - 200, Scale: 'p'}
	}
	return facts.Rank{Grade: n - 300, Scale: 't'}
}

// dateText returns a date as SGF has it, which facts.ParseDate reads back. Nine
// dates in ten are a day, for which this has a fast way.
func dateText(d facts.Date) string {
	f := d.From
	if d.From != d.To || d.Approx || f.Month == 0 || f.Day == 0 || f.Year < 1000 || f.Year > 9999 {
		return d.SGF()
	}
	digit := func(n int) byte { return byte('0' + n%10) }
	return string([]byte{
		digit(f.Year / 1000), digit(f.Year / 100), digit(f.Year / 10), digit(f.Year),
		'-', digit(f.Month / 10), digit(f.Month), '-', digit(f.Day / 10), digit(f.Day),
	})
}

// orNil returns a number for the database, NULL for 0.
func orNil(n int) driver.Value {
	if n == 0 {
		return nil
	}
	return int64(n)
}

// num, intOf, textOf and blobOf read a column. What has another type, as it may
// in a damaged database, reads as nothing.
func num(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func intOf(v driver.Value) int { return int(num(v)) }

func blobOf(v driver.Value) []byte {
	b, _ := v.([]byte)
	return b
}

func textOf(v driver.Value) string {
	s, _ := v.(string)
	return s
}
