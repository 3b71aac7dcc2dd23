package bind

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"qipu/query"
	"qipu/record/facts"
)

// span64 is a range of whole numbers, both bounds included. It is empty where
// low lies above high.
type span64 struct{ low, high int64 }

var everything = span64{math.MinInt64, math.MaxInt64}

// scale reads the values of a field: what each part of a range means, as the
// first and the last whole number that it stands for.
type scale func(text string) (first, last float64, err error)

// read reads a value or a range, compared as told.
func (s scale) read(op query.Op, text string) (span64, error) {
	text = strings.TrimSpace(text)
	low, high, ranged := strings.Cut(text, "..")
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	switch {
	case text == "" || ranged && low == "" && high == "":
		return span64{}, errors.New("a value is missing")
	case ranged && op != query.Is && op != query.Equal:
		return span64{}, fmt.Errorf("a range cannot be compared by %v: write : before it", op)
	case !ranged:
		high = low
	}
	out := everything
	first, last := math.Inf(-1), math.Inf(1)
	if low != "" {
		a, b, err := s(low)
		if err != nil {
			return span64{}, err
		}
		switch op {
		case query.Below:
			last = math.Ceil(a) - 1
		case query.AtMost:
			last = math.Floor(b)
		case query.Above:
			first = math.Floor(b) + 1
		default:
			first = math.Ceil(a)
		}
	}
	if high != "" && (op == query.Is || op == query.Equal) {
		_, b, err := s(high)
		if err != nil {
			return span64{}, err
		}
		last = math.Floor(b)
		if ranged && low != "" && first > last {
			return span64{}, errors.New("the range ends before it begins: exchange its ends")
		}
	}
	if !math.IsInf(first, 0) {
		out.low = int64(first)
	}
	if !math.IsInf(last, 0) {
		out.high = int64(last)
	}
	return out, nil
}

// numbers is the scale of numbers that a column holds in parts of one.
func numbers(parts float64) scale {
	return func(text string) (float64, float64, error) {
		x, err := number(text, 1e9)
		return x * parts, x * parts, err
	}
}

// number reads a plain decimal number of a size.
func number(text string, most float64) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.+-") != "" {
		return 0, fmt.Errorf("%q is no number", text)
	}
	if x < -most || x > most {
		return 0, fmt.Errorf("%s is out of range", text)
	}
	return x, nil
}

// ranks is the scale of ranks.
func ranks(text string) (float64, float64, error) {
	n, ok := facts.ParseRank(text).Strength()
	if !ok {
		return 0, 0, fmt.Errorf("%q is no rank: write one as in 5k, 3d, 9p or GM", text)
	}
	return float64(n + 100), float64(n + 100), nil
}

// plies reads a range of plies; to < 0 is no bound, and ok is false where no ply
// lies inside.
func plies(op query.Op, text string) (from, to int, ok bool, err error) {
	s, err := numbers(1).read(op, text)
	if err != nil {
		return 0, 0, false, err
	}
	from, to = int(max(s.low, 0)), -1
	if s.high != math.MaxInt64 {
		to = int(max(s.high, -1))
	}
	return from, to, s.high >= int64(from), nil
}
