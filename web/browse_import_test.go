package web_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/internal/browser"
	"qipu/internal/testkit"
)

// literal returns a value as the page writes it.
func literal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only texts and lists of them come here
	}
	return string(b)
}

// transfer returns an expression for a DataTransfer that holds files. Each stands
// there so many times as times says, as one text: files may be large.
func transfer(set []given, times int) string {
	var list [][2]string
	for _, f := range set {
		list = append(list, [2]string{f.name, string(f.data)})
	}
	return fmt.Sprintf(`(() => { const d = new DataTransfer(); for (const [name, text] of %s) d.items.add(new File([text.repeat(%d)], name)); return d })()`, literal(list), times)
}

// drop drops files on an element.
func drop(p *browser.Page, selector string, set []given) {
	p.Helper()
	p.JS(`document.querySelector(`+literal(selector)+`).dispatchEvent(new DragEvent('drop', {dataTransfer: `+transfer(set, 1)+`, bubbles: true, cancelable: true}))`, nil)
}

// job is what tests look at of an import.
type job struct {
	ID       int64
	State    string
	Runs     int
	Faults   int
	DryRun   bool
	Counts   struct{ Records, New, Marked, Rejected int }
	Progress struct{ Records int }
}

func jobOf(t testing.TB, base string, id int64) (j job) {
	t.Helper()
	if err := call("GET", fmt.Sprintf("%s/api/v1/jobs/%d", base, id), "", nil, &j); err != nil {
		t.Fatal(err)
	}
	return j
}

// faultRow is a line of the list of faults, as the page shows it.
type faultRow struct{ File, Record, Move, Offset, Severity, Reason string }

// faultsOf asks the server for all faults of an import.
func faultsOf(t testing.TB, base string, id int64) (rows []faultRow) {
	t.Helper()
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	for cursor := ""; ; {
		var page struct {
			Faults []struct {
				File, Severity, Reason string
				Record, Move, Offset   int64
			}
			Next string
		}
		if err := call("GET", fmt.Sprintf("%s/api/v1/jobs/%d/faults?limit=100&cursor=%s", base, id, cursor), "", nil, &page); err != nil {
			t.Fatal(err)
		}
		for _, f := range page.Faults {
			rows = append(rows, faultRow{f.File, number(f.Record), number(f.Move), number(f.Offset), f.Severity, f.Reason})
		}
		if cursor = page.Next; cursor == "" {
			return rows
		}
	}
}

// shownFaults scrolls the list of faults to its end and returns all of it.
func shownFaults(p *browser.Page) (rows []faultRow) {
	p.Helper()
	p.Until("the list of faults has its end", `(() => { scrollTo(0, document.body.scrollHeight); const n = document.querySelectorAll('.faults tbody tr').length;
		return n > 0 && document.querySelector('.faults .list-end').childElementCount === 0 && n === +document.querySelector('.faults-head [role=status]').textContent.replace(/\D/g, '') })()`)
	var cells [][]string
	p.JS(`[...document.querySelectorAll('.faults tbody tr')].map(r => [...r.cells].map(c => c.textContent))`, &cells)
	for _, c := range cells {
		n := func(s string) string { return strings.ReplaceAll(s, ",", "") }
		rows = append(rows, faultRow{c[0], n(c[1]), n(c[2]), n(c[3]), strings.ToLower(c[4]), c[6]})
	}
	return rows
}

// TestImportKilled: a damaged set is sent through the page, and the server dies in
// the middle of it. It comes up again and goes on by itself; the page sees that
// without a touch, and lists every fault with its place and reason.
func TestImportKilled(t *testing.T) {
	t.Parallel()
	b := shared(t)
	set, marked, rejected := damagedSet()
	// What the set comes to where nobody is killed.
	whole := serve(t, nil)
	id, err := importAll(whole, "", set)
	if err != nil {
		t.Fatal(err)
	}
	want := faultsOf(t, whole, id)
	if j := jobOf(t, whole, id); j.Counts.Records != 980 || j.Counts.Marked != marked || j.Counts.Rejected != rejected || len(want) != j.Faults || len(want) < marked+rejected {
		t.Fatalf("the set came to %+v with %d faults; %d should be marked, %d rejected", j, len(want), marked, rejected)
	}

	dir := filepath.Join(t.TempDir(), "library")
	first := launch(t, dir, "")
	p := b.Page(t, first.base, browser.Desktop)
	p.Go("/import")
	p.Settle()
	// Good games go before them, so that there is time to die in: the same ones
	// again and again, which are told to be known.
	p.JS(`(() => { const good = `+transfer([]given{{"0 good.sgf", damaged(100, 0, 3)}}, 150)+`, set = `+transfer(set, 1)+`;
		for (const f of set.files) good.items.add(f);
		const input = document.querySelector('.drop input[type=file]'); input.files = good.files; input.dispatchEvent(new Event('change', {bubbles: true})) })()`, nil)
	p.Until("the page shows the import", `location.search.startsWith('?job=')`)
	var j job
	for end := time.Now().Add(testkit.Patience); j.Progress.Records < 4200; time.Sleep(2 * time.Millisecond) {
		if j = jobOf(t, first.base, 1); j.State == "done" || time.Now().After(end) {
			t.Fatalf("the import is %s before it could be killed: %+v", j.State, j)
		}
	}
	first.kill()
	t.Logf("killed after %d records", j.Progress.Records)
	second := launch(t, dir, strings.TrimPrefix(first.base, "http://"))
	p.Until("the import is at its end", `document.querySelector('.tag[data-state=done]') !== null`)
	if j = jobOf(t, second.base, 1); j.Runs != 2 || j.Counts.Records != 15980 || j.Counts.Rejected != rejected || j.Counts.Marked != marked {
		t.Errorf("the import that was killed came to %+v", j)
	}
	got := shownFaults(p)
	if !slices.Equal(got, want) {
		t.Errorf("the page lists %d faults, there are %d", len(got), len(want))
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("the first that differs: %+v, not %+v", got[i], want[i])
				break
			}
		}
	}
	for _, f := range got {
		if f.File == "" || f.Reason == "" || f.Severity == "" || f.Severity == "marked" && (f.Record == "" || f.Offset == "") {
			t.Errorf("a fault without its place or reason: %+v", f)
			break
		}
	}
	// The filter shows the rejected ones alone, and stands in the address.
	p.Click(`.faults-head .seg label:nth-child(2)`)
	p.Settle()
	p.Until("the others are gone", `!document.querySelector('.faults [data-severity=marked]')`)
	if got := shownFaults(p); len(got) != rejected || p.URL() != "/import?job=1&severity=rejected" {
		t.Errorf("%d are shown as rejected at %s", len(got), p.URL())
	}
}

// TestImportDropped: files that are dropped on any page become an import.
func TestImportDropped(t *testing.T) {
	t.Parallel()
	base := serve(t, sampleGames)
	p := shared(t).Page(t, base, browser.Desktop)
	for i, path := range []string{"/", "/search", "/help"} {
		p.Go(path)
		p.Settle()
		drop(p, "main", []given{{fmt.Sprintf("games/%d.sgf", i), damaged(20, 2, uint64(20+i))}})
		p.Until("the import is shown", `location.pathname + location.search === '/import?job=`+fmt.Sprint(i+2)+`'`)
		p.Until("it is done", `document.querySelector('.tag[data-state=done]') !== null`)
		if got := shownFaults(p); len(got) != 2 || !strings.HasSuffix(got[0].File, fmt.Sprintf("%d.sgf", i)) {
			t.Errorf("%s: the faults are %+v", path, got)
		}
	}
	p.Click(p.Named("Search these games"))
	p.Until("the games are searched", `location.pathname === '/search'`)
}

// TestImportChecked: an import that only checks stores nothing and says so; its
// choices are those of the page.
func TestImportChecked(t *testing.T) {
	t.Parallel()
	base := serve(t, nil)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/import")
	p.Settle()
	p.Click(`.choices summary`)
	p.Click(`.choices .toggle`)
	drop(p, ".drop", []given{{"a.sgf", damaged(30, 3, 9)}})
	p.Until("it is done", `document.querySelector('.tag[data-state=done]') !== null`)
	p.Until("it says what would become of them", `document.querySelector('.job-words').textContent.startsWith('Checked only, nothing was stored: 30 new games, 3 kept with a mark')`)
	var lib struct{ Records int }
	if err := call("GET", base+"/api/v1/library", "", nil, &lib); err != nil || lib.Records != 0 {
		t.Errorf("%d games are stored, %v", lib.Records, err)
	}
	if p.Holds(`[...document.querySelectorAll('a')].some(a => a.textContent.includes('Search these games'))`) {
		t.Error("games that were not stored cannot be searched")
	}
	// Now for good, into a collection.
	p.Go("/import")
	p.Settle()
	p.Click(`.choices summary`)
	p.Fill(`.choices input[list]`, "Spring")
	drop(p, ".drop", []given{{"a.sgf", damaged(30, 3, 9)}})
	p.Until("it is done", `document.querySelector('.tag[data-state=done]') !== null`)
	p.Click(p.Named("Search these games"))
	p.Until("the collection is searched", `location.pathname === '/search' && new URLSearchParams(location.search).get('q') === 'collection:"Spring"'`)
}

// TestImportStopped: an import is cancelled and gone on with, and removed from the
// list; the list is empty then and says what to do.
func TestImportStopped(t *testing.T) {
	t.Parallel()
	base := serve(t, nil)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/import")
	p.Settle()
	if !p.Holds(`document.querySelector('main').innerText.includes('No imports yet')`) {
		t.Error("an empty list says nothing")
	}
	p.JS(`(() => { const input = document.querySelector('.drop input[type=file]'); input.files = `+transfer([]given{{"many.sgf", damaged(100, 0, 3)}}, 120)+`.files; input.dispatchEvent(new Event('change', {bubbles: true})) })()`, nil)
	p.Until("the page shows the import", `location.search === '?job=1'`)
	p.Click(p.Named("Cancel"))
	p.Until("it is cancelled", `document.querySelector('.tag[data-state=cancelled]') !== null`)
	p.Click(p.Named("Go on"))
	p.Until("it is done", `document.querySelector('.tag[data-state=done]') !== null`)
	if j := jobOf(t, base, 1); j.Counts.Records != 12000 || j.Runs != 2 {
		t.Errorf("it came to %+v", j)
	}
	p.Click(`main a[href="/import"]`)
	p.Until("the list is shown", `document.querySelector('section.job .tag[data-state=done]') !== null`)
	p.Click(p.Named("Remove from the list"))
	p.Click(`dialog[open] footer .danger`)
	p.Until("the list is empty", `document.querySelector('main').innerText.includes('No imports yet')`)
}
