package web_test

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"qipu/internal/browser"
)

// valued asks the engine what the moves of a position are worth: the best, and
// the worst with what it loses.
func valued(t testing.TB, base, line string) (best, worst string, loss float64) {
	t.Helper()
	var v struct {
		Moves []struct {
			Move  struct{ Text string }
			Value float64
		}
	}
	if err := call("GET", base+"/api/v1/values?"+url.Values{"game": {"othello"}, "line": {line}}.Encode(), "", nil, &v); err != nil || len(v.Moves) == 0 {
		t.Fatalf("no values of %q: %v", line, err)
	}
	last := v.Moves[len(v.Moves)-1]
	return v.Moves[0].Move.Text, last.Move.Text, v.Moves[0].Value - last.Value
}

// TestLearnQuiz goes through a line of the quiz with a mistake, is asked for the
// line once more, goes through it without a loss, and finds the mistake waiting.
func TestLearnQuiz(t *testing.T) {
	b := shared(t)
	base := serve(t, nil) // an empty book: the engine judges, and the page has no reply to give
	p := b.Page(t, base, browser.Desktop)
	p.Go("/learn/openings?g=othello&o=f5+d6&level=strict")
	p.Settle()
	hurry(p)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	p.Click(p.Named("Begin the quiz"))
	p.Until("it asks", `document.querySelectorAll('.board .hint').length > 3`)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	best, worst, loss := valued(t, base, "f5 d6")
	if loss < 2 {
		t.Fatalf("the worst move loses %v: no position for a quiz", loss)
	}
	write(p, worst)
	p.Until("the mistake is shown", `!!document.querySelector('.quiz-ask.wrong')`)
	said := p.Text(`document.querySelector('.quiz-ask').textContent`)
	if !strings.Contains(said, worst+" costs") || !strings.Contains(said, "Best: "+best) {
		t.Errorf("after %s, where %s is best, it says %q", worst, best, said)
	}
	if n := p.Text(`document.querySelectorAll('.board .mark').length`); n < "2" {
		t.Errorf("%s marks on the board, not the mistake and the best move", n)
	}
	check(p, "contrast")
	write(p, best)
	p.Until("the line has ended", `/The book ends here/.test(document.querySelector('.quiz-ask').textContent)`)
	if got := p.Text(`document.querySelector('.quiz-ask').textContent`); !strings.Contains(got, "1 mistake") {
		t.Errorf("at the end it says %q", got)
	}
	p.Click(p.Named("Once more"))
	p.Until("it asks again", `document.querySelectorAll('.board .hint').length > 3`)
	write(p, best)
	p.Until("nothing was lost", `/No loss/.test(document.querySelector('.quiz-ask.right')?.textContent)`)
	if got := p.Text(`[...document.querySelectorAll('.quiz-score dd')].map(e => e.textContent).join(' ')`); got != "1 2 1" {
		t.Errorf("streak, lines and lines without a loss are %s", got)
	}
	if n := p.Text(`JSON.parse(localStorage.getItem('qipu.learn')).items.map(x => x.line + ' ' + x.box).join()`); n != "f5 d6 1" {
		t.Errorf("what is to come back is %q", n)
	}

	// Two days later it is asked for.
	p.JS(`localStorage.setItem('qipu.learn', localStorage.getItem('qipu.learn').replace(/"due":\d+/, '"due":1'))`, nil)
	p.Go("/learn/openings?g=othello")
	p.Settle()
	p.Click(p.Named("1 mistake to repeat"))
	p.Until("it asks for the mistake", `document.querySelectorAll('.board .hint').length > 3 && document.querySelectorAll('.explore-line li').length === 3`)
	write(p, best)
	p.Until("it was right", `!!document.querySelector('.quiz-ask.right')`)
	p.Click(p.Named("All repeated"))
	p.Until("the openings are there", `!location.search.includes('quiz')`)
}

// TestLearnTurned: a board that lies another way takes the moves as they are seen.
func TestLearnTurned(t *testing.T) {
	b := shared(t)
	base := serve(t, nil)
	p := b.Page(t, base, browser.Desktop)
	seen := map[string]bool{}
	for i := range 12 {
		p.Go(fmt.Sprintf("/learn/openings?g=othello&o=f5+d6&quiz=line&turned=1&level=easy&depth=%d", 10+i%2))
		p.Settle()
		p.Until("it asks", `document.querySelectorAll('.board .hint').length === 5`)
		seen[p.Text(`document.querySelector('.explore-line').textContent`)] = true
		if len(seen) > 1 {
			break
		}
	}
	if len(seen) < 2 {
		t.Errorf("twelve times the board lies the same way: %v", seen)
	}
	at := boxes(p)[0]
	clickPoint(p, at[0], at[1])
	p.Until("the move was judged", `document.querySelectorAll('.quiz-log li').length === 1`)
	if got, want := p.Text(`document.querySelector('.quiz-log b').textContent`), fmt.Sprintf("%c%d", 'a'+at[0], at[1]+1); got != want {
		t.Errorf("a click on %s is taken for %s", want, got)
	}
}

// TestLearnWalk: the tree of openings leads to each of them.
func TestLearnWalk(t *testing.T) {
	p := visit(t, "/learn/openings?g=othello", browser.Desktop)
	if p.Holds(`!document.querySelector('.learn-tree .list a')`) {
		t.Fatal("the library knows no named openings")
	}
	p.Fill(".learn-tree input", "tiger")
	p.Until("the tiger is found", `/Tiger/.test(document.querySelector('.learn-tree .list a')?.textContent)`)
	p.Click(".learn-tree .list a")
	p.Until("it is shown", `/Tiger/.test(document.querySelector('.learn-head h2').textContent) && location.search.includes('o=')`)
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")

	// Another threshold gives other values.
	p.JS(`(() => { const all = document.querySelectorAll('.learn-form input[type=range]'), e = all[all.length - 1]; e.value = '7'; for (const x of ['input', 'change']) e.dispatchEvent(new Event(x, {bubbles: true})); })()`, nil)
	p.Until("the threshold is in the address", `new URLSearchParams(location.search).get('t') === '7'`)
	p.Settle()
	if !slices.ContainsFunc(p.Asked(), func(uri string) bool {
		return strings.HasPrefix(uri, "/api/v1/openings?") && strings.Contains(uri, "threshold=7")
	}) {
		t.Error("the openings are not asked for anew")
	}
	if !p.Holds(`document.querySelector('.learn-tree .list a') !== null && /Tiger/.test(document.querySelector('.learn-head h2').textContent)`) {
		t.Error("the opening is lost")
	}
}

// TestExploreBook: the values of the book beside the moves, the threshold in the
// address, a value of one's own, and the way into a game.
func TestExploreBook(t *testing.T) {
	b := shared(t)
	base := serve(t, sampleGames)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/explore?g=othello&t=1")
	p.Settle()
	rows := func() string { return p.Text(`document.querySelectorAll('.book-moves tbody tr').length`) }
	if rows() == "0" {
		t.Fatal("the book has no moves at the start")
	}
	p.Click(`.book-moves .move`)
	p.Until("the move is played", `document.querySelectorAll('.explore-line li').length === 2`)
	p.Settle()
	p.Click(`.book-tools .seg label:nth-child(2)`)
	p.Until("the results stand on the board", `location.search.includes('on=r') && document.querySelectorAll('.board .warm').length > 0`)
	p.Fill(`.book-tools .slider-number input`, "30")
	p.JS(`document.querySelector('.book-tools .slider-number input').dispatchEvent(new Event('change'))`, nil)
	p.Until("the threshold is in the address", `location.search.includes('t=30')`)
	p.Settle()
	p.Click(p.Named("Set a value"))
	p.Until("it is asked for", `!!document.querySelector('dialog[open] input[type=number]')`)
	p.Fill(`dialog input[type=number]`, "4")
	p.Fill(`dialog textarea`, "a test of mine")
	p.Click(`dialog [value=yes]`)
	p.Until("the value is there", `/\+4/.test(document.querySelector('.book-facts').textContent) && document.querySelector('.book').textContent.includes('a test of mine')`)
	p.Reload()
	p.Settle()
	p.Until("the value stays", `/\+4/.test(document.querySelector('.book-facts').textContent)`)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	p.Click(`.explore-tools .menu-at button`)
	p.Click(p.Named("Play from here"))
	p.Until("the game begins there", `location.pathname === '/play' && !!document.querySelector('.play-line')`)
	p.Click(".play-go")
	p.Until("the game has the move", `document.querySelectorAll('.play .explore-line li').length >= 2`)
}

// TestRecordFacts: where no engine has earned an opinion, the page says so, offers to
// add one, and shows facts.
func TestRecordFacts(t *testing.T) {
	games, err := os.ReadFile("../record/pdn/testdata/games.pdn")
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, func(t testing.TB, base string) {
		if _, err := importAll(base, "", []given{{"games.pdn", games}}); err != nil {
			t.Fatal(err)
		}
	})
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/records/1?tab=review")
	p.Until("the review is done", `!!document.querySelector('.review-by p') && document.querySelector('.review > p:last-child').textContent.indexOf('…') < 0`)
	if text := p.Text(`document.querySelector('.review').innerText`); !strings.Contains(text, "No engine here has earned an opinion on Checkers") || strings.Contains(text, "Inaccuracy") {
		t.Errorf("the page says %s", text)
	}
	if link := p.Text(`document.querySelector('.review-by a').getAttribute('href')`); !strings.Contains(link, "/settings") {
		t.Errorf("an engine is added at %s", link)
	}
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
}

// TestRecordReview: the engine looks at a record, and its curve leads to moves.
func TestRecordReview(t *testing.T) {
	p := visit(t, "/records/{othello}?tab=review#2", browser.Desktop)
	p.Until("the review is done", `!!document.querySelector('.review') && document.querySelector('.review > p:last-child').textContent.indexOf('…') < 0`)
	if n := p.Text(`document.querySelector('.review-graph .curve').getAttribute('d').split('L').length`); len(n) < 2 {
		t.Errorf("the curve has %s points", n)
	}
	if text := p.Text(`document.querySelector('.review-by').innerText`); !strings.Contains(text, "Qipu Othello") || !strings.Contains(text, "19 of 20") {
		t.Errorf("whose opinion it is: %s", text)
	}
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	p.Click(`.review-list li:last-child button`)
	p.Until("the board goes there", `location.hash !== "#2" && !!document.querySelector('.review-list [aria-current]')`)
	p.Click(`.review .seg label:nth-child(2)`)
	p.Until("the losses are drawn", `document.querySelectorAll('.review-graph .loss').length === 2`)
}
