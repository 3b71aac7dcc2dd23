package web_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"qipu/engine"
	"qipu/internal/browser"
	"qipu/internal/testkit"
)

// hurry lets a page show moves without the pauses that people want.
func hurry(p *browser.Page) {
	p.Helper()
	p.JS(`localStorage.setItem('qipu.prefs', '{"animation":false}')`, nil)
	p.Reload()
	p.Settle()
}

// session is what the server tells of a game.
type session struct {
	ID       string
	State    string
	Position struct {
		Game  string
		Ply   int
		Line  string
		Moves []struct{ Text string }
	}
	Result *struct {
		Record, Fresh int
		Score         []int
	}
}

// playing returns the game at the address of a page.
func playing(p *browser.Page) (s session) {
	p.Helper()
	if err := call("GET", p.Text(`location.origin + '/api/v1/sessions/' + new URLSearchParams(location.search).get('s')`), "", nil, &s); err != nil {
		p.Fatal(err)
	}
	return s
}

// turn waits until the person is to move, and reports whether the game goes on.
func turn(p *browser.Page) bool {
	p.Helper()
	p.Until("it is somebody's turn", `document.querySelector('.play-result') || document.querySelector('.play-sides') && document.querySelector('.board .hint')`)
	return !p.Holds(`!!document.querySelector('.play-result')`)
}

// boxes are the points that are boxed, as column and row.
func boxes(p *browser.Page) (list [][2]int) {
	p.Helper()
	p.JS(`[...document.querySelectorAll('.stage .board .hint')].map(e => [(+e.getAttribute('x') + 17) / 40, (+e.getAttribute('y') + 17) / 40])`, &list)
	return list
}

// write makes a move by its name. The driver of the browser writes a key into the
// box that the key has opened, which no keyboard does: it is taken away again.
func write(p *browser.Page, move string) {
	p.Helper()
	if !p.Holds(`document.activeElement.matches('.explore-type input')`) {
		p.Keys("m")
		p.Until("the box has the focus", `document.activeElement.matches('.explore-type input')`)
		p.Keys(kb.Backspace)
	}
	p.Keys(move + kb.Enter)
}

// TestPlayMouse plays a whole game by mouse. In its middle the page is loaded
// again, and goes on. At the end the game stands in the library, in the index and
// in the book.
func TestPlayMouse(t *testing.T) {
	b := shared(t)
	base := serve(t, nil)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/play?g=othello")
	p.Settle()
	hurry(p)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	p.Click(p.Named("Options"))
	p.Until("the sheet is there", `document.querySelector('dialog .play-form')`)
	check(p, "names", "contrast", "focus", "width")
	p.Fill(".play-form .slider-number input", "1")
	p.Click("dialog [value=yes]")
	p.Until("the game is there", `location.search.includes('s=') && !!document.querySelector('.play-sides')`)
	moves, undone := 0, false
	for turn(p) {
		at := boxes(p)
		if len(at) == 0 {
			t.Fatal("no square is boxed though somebody is to move")
		}
		before := playing(p)
		clickPoint(p, at[moves%len(at)][0], at[moves%len(at)][1])
		moves++
		p.Until("the move is made", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length > %d`, before.Position.Ply+1))
		switch {
		case moves == 3:
			turn(p)
			check(p, "names", "frame", "contrast", "keys", "focus", "width")
			line := p.Text(`document.querySelector('.explore-line').textContent`)
			p.Reload()
			p.Settle()
			turn(p)
			if got := p.Text(`document.querySelector('.explore-line').textContent`); got != line {
				t.Errorf("loaded again, the game is %s, and was %s", got, line)
			}
		case moves == 5 && !undone:
			undone = true
			turn(p)
			n := playing(p).Position.Ply
			p.Click(p.Named("Take back"))
			p.Until("it is taken back", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length === %d`, n-1))
		}
		if moves > 60 {
			t.Fatal("the game does not end")
		}
	}
	s := playing(p)
	if s.State != "over" || s.Result == nil || s.Result.Record == 0 || s.Result.Fresh == 0 {
		t.Fatalf("the game ended as %+v", s)
	}
	p.Until("the review is done", `document.querySelector('.review-graph .curve')?.getAttribute('d').length > 100 && !/…$/.test(document.querySelector('.review > p:last-child').textContent)`)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	card := p.Text(`document.querySelector('.play-result').innerText`)
	for _, want := range []string{fmt.Sprint(s.Result.Record), fmt.Sprintf("%d positions are new in the book", s.Result.Fresh), "Play again"} {
		if !strings.Contains(card, want) {
			t.Errorf("the result says %q, without %q", card, want)
		}
	}
	stands(t, p, base, s)

	// The curve leads to a move, and the page back to the game.
	p.JS(`document.querySelector('.review-graph').scrollIntoView({block: 'center'})`, nil)
	var middle [2]float64
	p.JS(`(() => { const r = document.querySelector('.review-graph svg').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`, &middle)
	p.ClickXY(middle[0], middle[1])
	p.Until("the board looks back", `document.querySelector('.play-status.past') && +document.querySelector('.explore-line [aria-current]').parentElement.querySelector('span').textContent > 20`)
	p.Click(p.Named("To the game"))
	p.Until("the end is there", `!document.querySelector('.play-status.past')`)

	// Once more, with the sides exchanged: the engine begins.
	p.Click(p.Named("Swap sides"))
	p.Until("another game is there", `!location.search.includes('`+s.ID+`') && document.querySelectorAll('.explore-line li').length > 1`)
}

// stands fails the test unless a game stands in the library, in the index and in
// the book of games that were played here, and in that of the records does not.
func stands(t *testing.T, p *browser.Page, base string, s session) {
	t.Helper()
	var rec struct{ Main int }
	if err := call("GET", fmt.Sprintf("%s/api/v1/records/%d", base, s.Result.Record), "", nil, &rec); err != nil {
		t.Fatal(err)
	}
	if rec.Main != len(s.Position.Moves) {
		t.Errorf("the record has %d moves, the game had %d", rec.Main, len(s.Position.Moves))
	}
	line := []string{}
	for _, m := range s.Position.Moves[:12] {
		line = append(line, m.Text)
	}
	q := url.Values{"game": {"othello"}, "line": {strings.Join(line, " ")}}
	var explored struct{ Games, Apart int }
	var book struct{ Games int }
	for games, want := range map[string]int{"records": 0, "here": 1} {
		q.Set("games", games)
		if err := call("GET", base+"/api/v1/explore?"+q.Encode(), "", nil, &explored); err != nil || explored.Games != want || explored.Apart != 1-want {
			t.Errorf("of %s %d games come to move 12, of the others %d, want %d: %v", games, explored.Games, explored.Apart, want, err)
		}
		if err := call("GET", base+"/api/v1/book?"+q.Encode(), "", nil, &book); err != nil || book.Games != want {
			t.Errorf("the book of %s has %d games that come to move 12, want %d: %v", games, book.Games, want, err)
		}
	}
	q = url.Values{"g": {"othello"}, "m": q["line"], "t": {"1"}}
	e := shared(t).Page(t, base, browser.Desktop)
	e.Go("/explore?" + q.Encode())
	e.Settle()
	e.Until("the explorer tells it apart", `/Records0/.test(document.querySelector('.explore-setup .seg').textContent) && /Played here1/.test(document.querySelector('.explore-setup .seg').textContent)`)
	e.Click(`.explore-setup .seg label:nth-child(2)`)
	e.Until("the explorer has the game", `document.querySelectorAll('.explore-moves tbody tr').length > 0`)
	e.Until("the games that were played here count", `location.search.includes('of=here') && document.querySelectorAll('.book-moves tbody tr').length > 0`)
	e.Settle()
	// Moves that the engine has read come without games, and may be the better ones.
	if !e.Holds(`[...document.querySelectorAll('.book-moves tbody tr')].some(r => r.querySelector('td b').textContent === '1')`) {
		t.Errorf("the book counts no game: %q", e.Text(`document.querySelector('.book-moves').innerText`))
	}
	e.Click(`.list a.game-row`)
	e.Until("the record is open", `/^\/records\/\d+$/.test(location.pathname)`)
}

// TestPlayKeyboard plays a whole game by keyboard: the first half with the
// arrows, the second half by writing moves.
func TestPlayKeyboard(t *testing.T) {
	b := shared(t)
	base := serve(t, nil)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/play?g=othello")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"level":1,"tips":false}')`, nil)
	hurry(p)
	for range 30 { // Tab goes to the button that begins
		p.Keys(kb.Tab)
		if p.Holds(`document.activeElement.matches('.play-go')`) {
			break
		}
	}
	p.Keys(kb.Enter)
	p.Until("the game is there", `location.search.includes('s=') && document.activeElement.matches('.board')`)
	for n := 0; turn(p); n++ {
		if n > 60 {
			t.Fatal("the game does not end")
		}
		ply := playing(p).Position.Ply
		at := boxes(p)[n%len(boxes(p))]
		if ply < 30 {
			if !p.Holds(`!!document.querySelector('.board .cursor')`) {
				p.Keys(kb.ArrowLeft)
			}
			var now [2]int
			p.JS(`(() => { const e = document.querySelector('.board .cursor'); return [(+e.getAttribute('x') + 19) / 40, (+e.getAttribute('y') + 19) / 40] })()`, &now)
			p.Keys(strings.Repeat(kb.ArrowRight, max(0, at[0]-now[0])) + strings.Repeat(kb.ArrowLeft, max(0, now[0]-at[0])) +
				strings.Repeat(kb.ArrowDown, max(0, at[1]-now[1])) + strings.Repeat(kb.ArrowUp, max(0, now[1]-at[1])) + kb.Enter)
		} else {
			write(p, fmt.Sprintf("%c%d", 'a'+at[0], at[1]+1))
		}
		p.Until("the move is made", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length > %d`, ply+1))
	}
	s := playing(p)
	if s.State != "over" || s.Result == nil || s.Result.Record == 0 || len(s.Result.Score) != 2 {
		t.Fatalf("the game ended as %+v", s)
	}
	if said := p.Text(`document.querySelector('.play-status').textContent`); !regexp.MustCompile(`wins \d+–\d+|draw`).MatchString(said) {
		t.Errorf("the page says %q", said)
	}
	stands(t, p, base, s)
}

// TestPlayKeys: what the letters do, and what is heard.
func TestPlayKeys(t *testing.T) {
	b := shared(t)
	base := serve(t, nil)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/play?g=othello")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"level":1,"tips":true}')`, nil)
	hurry(p)
	if !p.Holds(`!!document.querySelector('.play-tips')`) {
		t.Error("who comes for the first time sees no help")
	}
	p.Click(p.Named("Close these tips"))
	p.Click(".play-go")
	turn(p)
	p.Keys("h")
	p.Until("the boxes are gone", `!document.querySelector('.board .hint')`)
	p.Keys("h")
	p.Until("the boxes are back", `document.querySelectorAll('.board .hint').length === 4`)
	p.Keys("v")
	p.Until("every move has a value", `document.querySelectorAll('.board .warm').length === 4 && !document.querySelector('.board .hint')`)
	p.Keys("b")
	p.Until("the book has nothing yet", `document.querySelectorAll('.board .warm').length === 0 && document.querySelectorAll('.board .hint').length === 4`)
	p.Keys("b")
	p.Keys("?")
	p.Until("the help is there", `document.querySelector('dialog[open]')?.textContent.includes('Show possible moves')`)
	p.Keys(kb.Escape)
	p.Until("the help is gone", `!document.querySelector('dialog')`)
	write(p, "f5")
	p.Until("both have moved", `document.querySelectorAll('.explore-line li').length === 3 && document.querySelector('.board .hint')`)
	p.Until("it is said", `/White plays \w\d/.test(document.querySelector('[aria-live=polite]').textContent)`)
	p.JS(`document.activeElement.blur()`, nil)
	p.Keys("u")
	p.Until("it is taken back", `document.querySelectorAll('.explore-line li').length === 1`)
	if p.Holds(`JSON.parse(localStorage.getItem('qipu.play')).tips`) {
		t.Error("that the help was closed is forgotten")
	}
	p.Click(p.Named("Resign"))
	p.Until("it is asked again", `!!document.querySelector('dialog[open]')`)
	p.Click(`dialog [value=yes]`)
	p.Until("the game is lost", `/resignation/.test(document.querySelector('.play-result')?.textContent)`)
}

// TestPlayRestart: a server that is killed in the middle of a game, and started
// again, goes on with it, and so does the page.
func TestPlayRestart(t *testing.T) {
	b := shared(t)
	dir := filepath.Join(t.TempDir(), "library")
	one := launch(t, dir, "")
	p := b.Page(t, one.base, browser.Desktop)
	p.Forgive("ERR_") // requests fail while nobody serves
	p.Go("/play?g=othello")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"level":1,"tips":false}')`, nil)
	hurry(p)
	p.Click(".play-go")
	for range 3 {
		turn(p)
		at, ply := boxes(p)[0], playing(p).Position.Ply
		clickPoint(p, at[0], at[1])
		p.Until("both have moved", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length > %d && document.querySelector('.board .hint')`, ply+2))
	}
	before := p.Text(`document.querySelector('.explore-line').textContent`)
	one.kill()
	testkit.Until(t, "the server is gone", func() bool { return call("GET", one.base+"/api/v1/library", "", nil, nil) != nil })
	u, err := url.Parse(one.base)
	if err != nil {
		t.Fatal(err)
	}
	launch(t, dir, u.Host)
	p.Until("the game goes on", `!document.querySelector('.play-status.bad')`)
	turn(p)
	if got := p.Text(`document.querySelector('.explore-line').textContent`); got != before {
		t.Errorf("after the restart the game is %s, and was %s", got, before)
	}
	at, ply := boxes(p)[0], playing(p).Position.Ply
	clickPoint(p, at[0], at[1])
	p.Until("both have moved", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length > %d && document.querySelector('.board .hint')`, ply+2))
	p.Go("/play")
	p.Settle()
	if n := p.Text(`document.querySelectorAll('.play-open').length`); n != "1" {
		t.Errorf("%s games wait to be gone on with, not one", n)
	}
	p.Click(".play-open")
	p.Until("the game is open", `location.search.includes('s=') && !!document.querySelector('.board .hint')`)
}

// TestPlayPass: a side that cannot move passes, which is seen and heard, and needs
// nobody's consent.
func TestPlayPass(t *testing.T) {
	b := shared(t)
	base := serve(t, nil)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/play?g=othello&m=" + url.QueryEscape("XO6/8/8/8/8/8/8/XO6 X"))
	p.Settle()
	hurry(p)
	p.Click(".play-go")
	turn(p)
	clickPoint(p, 2, 0)
	p.Until("the pass is seen", `document.querySelector('.play-status.passed')?.textContent.startsWith('White has no move and passes.')`)
	p.Until("the pass is heard", `document.querySelector('[aria-live=polite]').textContent.includes('White has no move and passes.')`)
	check(p, "contrast")
	if !turn(p) {
		t.Fatal("the game is over")
	}
	clickPoint(p, 2, 7)
	p.Until("the game is won", `/Black wins/.test(document.querySelector('.play-result')?.textContent)`)
}

// TestPlayOthers: the other games go by the same page, and so does a board that
// the library has no game of.
func TestPlayOthers(t *testing.T) {
	theWorld(t)
	for spec, move := range map[string]string{"weiqi": "Q16", "weiqi:9x9": "E5", "xiangqi": "h2-e2", "renju": "h8"} {
		t.Run(spec, func(t *testing.T) {
			base := serve(t, nil)
			var s session
			body, err := json.Marshal(map[string]any{"game": spec, "level": 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := call("POST", base+"/api/v1/sessions", "application/json", strings.NewReader(string(body)), &s); err != nil {
				t.Fatal(err)
			}
			p := shared(t).Page(t, base, browser.Desktop)
			p.Go("/play?g=" + url.QueryEscape(spec) + "&s=" + s.ID)
			p.Settle()
			write(p, move)
			p.Until("both have moved", `document.querySelectorAll('.explore-line li').length >= 3`)
			check(p, "names", "frame", "width", "keys")
		})
	}
}

// TestPlayHints: where a net sees the board, a hint is a few moves with what they gain,
// and the first of them is on the board.
func TestPlayHints(t *testing.T) {
	t.Parallel()
	var game struct {
		ID string `json:"id"`
	}
	begin := `{"game":"go:9x9","side":"first","level":1,"seed":1}`
	if err := call("POST", theWorld(t).base+"/api/v1/sessions", "application/json", strings.NewReader(begin), &game); err != nil {
		t.Fatal(err)
	}
	p := visit(t, "/play?g=go:9x9&s="+game.ID, browser.Desktop)
	p.Keys("i")
	p.Until("the moves are told", `(n => n > 0 && n <= 5)(document.querySelectorAll('.play-whose .hints-best > li').length)`)
	p.Settle()
	check(p, "names", "frame", "contrast", "width")
	if !p.Holds(`document.querySelectorAll('.stage .mark').length === 1`) {
		t.Error("the first one is not on the board")
	}
}

// TestPlayLevels: the page calls levels by their numbers and tells what is known of
// them, which is nothing where nobody has measured them.
func TestPlayLevels(t *testing.T) {
	t.Parallel()
	p := visit(t, "/play?g=othello", browser.Desktop)
	p.Click(p.Named("Options"))
	p.Until("the sheet is there", `document.querySelector('dialog .play-form')`)
	var words []string
	p.JS(`[...Array(13)].map((_, i) => {
		const range = document.querySelector('.play-form input[type=range]');
		range.value = String(i + 1);
		range.dispatchEvent(new Event('input', {bubbles: true}));
		return range.value + ': ' + document.querySelector('.play-form .play-known').textContent;
	})`, &words)
	for i, got := range words {
		n := min(i+1, engine.MaxLevel)
		if !strings.HasPrefix(got, fmt.Sprintf("%d: about ", n)) || n > 1 && !strings.HasSuffix(got, fmt.Sprintf("against level %d", n-1)) {
			t.Errorf("level %d: %q", n, got)
		}
	}
}

// TestPlayPhone: on a phone fingers play, nothing is wider than the window, and
// everything can be hit.
func TestPlayPhone(t *testing.T) {
	b := shared(t)
	base := serve(t, nil)
	p := b.Page(t, base, browser.Phone)
	p.Go("/play?g=othello")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"level":1,"clock":"5+5"}')`, nil)
	hurry(p)
	p.Click(".play-go")
	for range 3 {
		turn(p)
		at, ply := boxes(p)[0], playing(p).Position.Ply
		clickPoint(p, at[0], at[1])
		p.Until("both have moved", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length > %d && document.querySelector('.board .hint')`, ply+2))
	}
	if !p.Holds(`[...document.querySelectorAll('.play-clock')].every(e => /^\d:\d\d$/.test(e.textContent))`) {
		t.Error("the clocks do not run")
	}
	check(p, "width", "targets", "names", "frame")
	for _, lang := range []string{"zh-Hant", "ko"} {
		speak(p, lang)
		check(p, "width", "keys", "targets")
	}
}

// TestPlayBegin: the page opens with the board of the game that is chosen, whose
// first move begins it. A hint is one move, and lasts for one.
func TestPlayBegin(t *testing.T) {
	base := serve(t, nil)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/play?g=weiqi")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"level":1,"tips":true}')`, nil)
	hurry(p)
	if tips := p.Text(`document.querySelector('.play-tips').innerText`); strings.Contains(tips, "box") || !strings.Contains(tips, "Choose a point") {
		t.Errorf("Go is played by %q", tips)
	}
	p.Click(p.Named("Options"))
	for name, value := range map[string]string{"Board": "9×9", "Handicap": "None", "Komi": "7.5", "Rules": "Chinese"} {
		list := fmt.Sprintf(`document.querySelector('.play-form select[aria-label=%s]')`, name)
		p.Until(name+" is asked for", list)
		p.JS(fmt.Sprintf(`(s => { s.value = [...s.options].find(o => o.text === %q).value; s.dispatchEvent(new Event('change')); })(%s)`, value, list), nil)
		p.Until("it is chosen", fmt.Sprintf(`%[1]s?.selectedOptions[0].text === %[2]q`, list, value))
		p.Settle()
	}
	p.Keys(kb.Escape)
	p.Until("the board is small", `document.querySelector('.play-start .stage .board').ariaLabel.includes('9 by 9')`)
	p.Until("the move may be made", `document.querySelector('.play-status').textContent === 'Make a move to begin'`)
	clickPoint(p, 4, 4)
	p.Until("the game has begun with it", `/^Start1E52\w/.test(document.querySelector('.play-sides') && document.querySelector('.explore-line').textContent)`)
	if s := playing(p); s.Position.Game != "weiqi:9x9,chinese" {
		t.Errorf("%s is played", s.Position.Game)
	}
	p.Keys("i")
	p.Until("one move is proposed", `document.querySelectorAll('.board .layer-signs .mark').length === 1`)
	p.JS(`document.activeElement.blur()`, nil)
	p.Keys("u")
	p.Until("it is gone", `document.querySelectorAll('.explore-line li').length === 1 && !document.querySelector('.board .layer-signs .mark')`)
}

// TestPlaySettle: behind two passes the board shows what is dead and whose land it
// is, a group is marked by pointing at it, and both sides agree, or play on.
func TestPlaySettle(t *testing.T) {
	base := serve(t, nil)
	var s session
	if err := call("POST", base+"/api/v1/sessions", "application/json", strings.NewReader(`{"game":"weiqi:9x9,chinese","side":"both"}`), &s); err != nil {
		t.Fatal(err)
	}
	for _, m := range strings.Fields("E1 F1 E2 F2 E3 F3 E4 F4 E5 F5 E6 F6 E7 F7 E8 F8 E9 F9 C3 A1 pass pass") {
		if err := call("POST", base+"/api/v1/sessions/"+s.ID+"/moves", "application/json", strings.NewReader(`{"move":"`+m+`"}`), nil); err != nil {
			t.Fatal(m, err)
		}
	}
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/play?s=" + s.ID)
	p.Settle()
	count := `document.querySelector('.play-count h2')?.textContent`
	p.Until("the stone in the corner is dead", count+` === 'Black wins by 1.5' && document.querySelectorAll('.board .life.dead .cross').length === 1`)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	clickPoint(p, 0, 8)
	p.Until("it lives", count+` === 'White wins by 34.5' && !document.querySelector('.board .life.dead')`)
	p.Click(p.Named("Play on"))
	p.Until("play goes on", `!document.querySelector('.play-count') && document.querySelector('.play-status').textContent.includes('Black to move')`)
	for i := range 2 {
		p.Click(p.Named("Pass"))
		p.Until("it is passed", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length === %d`, 22+i))
	}
	p.Until("it is counted again", count+` === 'Black wins by 1.5'`)
	p.Click(p.Named("Agree"))
	p.Until("the result is there", `document.querySelector('.play-result h2')?.textContent === 'Black wins by 1.5' && document.querySelectorAll('.board .life.dead .cross').length === 1`)
	if r := playing(p).Result; r == nil || r.Record == 0 {
		t.Errorf("the result is %+v", r)
	}
}
