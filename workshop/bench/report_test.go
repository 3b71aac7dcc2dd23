package bench_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/internal/testkit"
)

// report is what the measurements of a run have to say. It is printed, and put
// into the document between its markers when the run rewrites.
type report struct {
	bars []bar
}

const performanceFile = "../../docs/performance.md"

// section prints a part of the report, and puts it into the document.
func (r *report) section(t *testing.T, name, text string) {
	t.Helper()
	testkit.Section(t, performanceFile, name, text)
}

// picture writes a drawing of the report beside the document.
func (r *report) picture(t *testing.T, name string, p *plot) {
	t.Helper()
	if !testkit.Rewriting() {
		return
	}
	if err := os.WriteFile(filepath.Join("../../docs", "pictures", name), []byte(p.svg()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// bar is a goal and how it was met.
type bar struct {
	name          string
	got           float64
	must, stretch float64 // 0 for none
	unit          string
	more          bool // more is better
}

func (b *bar) meets(goal float64) bool {
	return goal == 0 || b.more && b.got >= goal || !b.more && b.got <= goal
}

// bar notes a goal, and fails the test where the run misses what must be.
func (r *report) bar(t *testing.T, b bar) {
	t.Helper()
	r.bars = append(r.bars, b)
	if !b.meets(b.must) {
		t.Errorf("%s: %s, must be %s", b.name, b.text(b.got), b.text(b.must))
	}
}

func (b *bar) text(v float64) string {
	if v == 0 {
		return ""
	}
	return strings.TrimSpace(number(v) + " " + b.unit)
}

// goals is the table of all bars.
func (r *report) goals() string {
	t := newTable("measure", "measured", "must", "stretch", "")
	for i := range r.bars {
		b := &r.bars[i]
		verdict := "met"
		switch {
		case !b.meets(b.must):
			verdict = "**missed**"
		case b.stretch != 0 && b.meets(b.stretch):
			verdict = "stretch met"
		}
		t.row(b.name, b.text(b.got), b.text(b.must), b.text(b.stretch), verdict)
	}
	return t.String()
}

// number prints a value with three digits that matter.
func number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1000:
		return group(fmt.Sprintf("%.0f", v))
	case a >= 100:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// group puts commas between thousands.
func group(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func count[T int | int64](n T) string { return group(fmt.Sprint(n)) }

// ms prints a time in milliseconds.
func ms(d time.Duration) string { return number(millis(d)) }

func millis(d time.Duration) float64 { return d.Seconds() * 1000 }

func megabytes(n int64) string {
	if n < 0 {
		return "?"
	}
	return number(float64(n) / 1e6)
}

// table is a table in Markdown.
type table struct{ strings.Builder }

func newTable(heads ...string) *table {
	t := &table{}
	t.row(heads...)
	t.WriteString("|" + strings.Repeat("---|", len(heads)) + "\n")
	return t
}

func (t *table) row(cells ...string) { t.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

// plot is a drawing of curves, both axes logarithmic or not.
type plot struct {
	title, x, y string
	logX, logY  bool
	ticks       []tick // of x
	curves      []curve
}

type tick struct {
	at   float64
	text string
}

type curve struct {
	name   string
	points [][2]float64
}

var inks = []string{"#1f5fa8", "#c0392b", "#2e8b57", "#8e5bb5", "#b8860b", "#444444"}

// svg draws it.
func (p *plot) svg() string {
	const w, h, left, right, top, bottom = 720, 420, 70, 190, 40, 50
	var lo, hi [2]float64
	for i, c := range p.curves {
		for j, pt := range c.points {
			for axis, v := range p.scaled(pt) {
				if i == 0 && j == 0 {
					lo[axis], hi[axis] = v, v
				}
				lo[axis], hi[axis] = min(lo[axis], v), max(hi[axis], v)
			}
		}
	}
	if p.logY {
		lo[1], hi[1] = math.Floor(lo[1]), math.Ceil(hi[1])
	} else {
		lo[1] = min(lo[1], 0)
	}
	place := func(pt [2]float64) (x, y float64) {
		s := p.scaled(pt)
		x = left + (s[0]-lo[0])/max(hi[0]-lo[0], 1e-9)*(w-left-right)
		y = h - bottom - (s[1]-lo[1])/max(hi[1]-lo[1], 1e-9)*(h-top-bottom)
		return x, y
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", w, h)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", w, h)
	fmt.Fprintf(&b, `<text x="%d" y="22" font-size="14">%s</text>`+"\n", left, p.title)
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (left+w-right)/2, h-10, p.x)
	fmt.Fprintf(&b, `<text x="16" y="%d" text-anchor="middle" transform="rotate(-90 16 %d)">%s</text>`+"\n", (top+h-bottom)/2, (top+h-bottom)/2, p.y)
	line := func(x1, y1, x2, y2 float64) {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#cccccc"/>`+"\n", x1, y1, x2, y2)
	}
	for _, k := range p.ticks {
		x, _ := place([2]float64{k.at, 1})
		line(x, top, x, h-bottom)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x, h-bottom+16, k.text)
	}
	steps := 5.0
	if p.logY {
		steps = hi[1] - lo[1] // one a decade
	}
	for i := 0.0; i <= steps; i++ {
		v := lo[1] + (hi[1]-lo[1])*i/steps
		if p.logY {
			v = math.Pow(10, v)
		}
		_, y := place([2]float64{1, v})
		line(left, y, w-right, y)
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left-6, y+4, number(v))
	}
	for i, c := range p.curves {
		ink := inks[i%len(inks)]
		var path strings.Builder
		for j, pt := range c.points {
			x, y := place(pt)
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(j, 1)], x, y)
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x, y, ink)
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", path.String(), ink)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", w-right+12, top+14+18*i, ink, c.name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (p *plot) scaled(pt [2]float64) [2]float64 {
	if p.logX {
		pt[0] = math.Log10(max(pt[0], 1e-9))
	}
	if p.logY {
		pt[1] = math.Log10(max(pt[1], 1e-9))
	}
	return pt
}

// TestReport checks that tables and sections are put together as they should.
func TestReport(t *testing.T) {
	for v, want := range map[float64]string{1234567: "1,234,567", 999.6: "1000", 123.4: "123", 12.34: "12.3", 1.234: "1.23", 0.01234: "0.012"} {
		if got := number(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
	r := &report{bars: []bar{{name: "a", got: 2, must: 3, stretch: 1, unit: "ms"}, {name: "b", got: 2, must: 3, more: true}}}
	want := "| measure | measured | must | stretch |  |\n|---|---|---|---|---|\n" +
		"| a | 2.00 ms | 3.00 ms | 1.00 ms | met |\n| b | 2.00 | 3.00 |  | **missed** |\n"
	if got := r.goals(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	// Every section that the measurements write has its place in the document.
	data, err := os.ReadFile(performanceFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sections {
		if !strings.Contains(string(data), "<!-- begin "+name+" -->\n") || !strings.Contains(string(data), "<!-- end "+name+" -->") {
			t.Errorf("%s has no section %s", performanceFile, name)
		}
	}
}

func TestStatistics(t *testing.T) {
	list := []time.Duration{9, 1, 5, 3}
	if got := median(list); got != 4 {
		t.Errorf("the median of four is %d", got)
	}
	if got := median(list[:3]); got != 5 {
		t.Errorf("the median of three is %d", got)
	}
	for percent, want := range map[int]time.Duration{1: 1, 25: 1, 26: 3, 75: 5, 95: 9, 100: 9} {
		if got := percentile(list, percent); got != want {
			t.Errorf("percentile %d is %d, want %d", percent, got, want)
		}
	}
}
