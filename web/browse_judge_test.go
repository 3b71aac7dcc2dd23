package web_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	keys "github.com/chromedp/chromedp/kb"

	"qipu/game/weiqi/life"
	"qipu/internal/browser"
	"qipu/view"
)

// halves is a board that is divided, with dead stones on both sides.
const halves = "2XO5/2XO1O3/1OXXOO1O1/3XXO3/1X1XOO1X1/3XO2XX/1O1XXO3/3XXO1O1/4XO3 black"

// asJudged compares what is drawn on the board with what the server says.
func asJudged(p *browser.Page, j *view.Judgement) {
	p.Helper()
	dead := map[int]bool{}
	statuses := map[string]int{}
	unclear := 0
	for _, s := range j.Strings {
		statuses[s.Status]++
		if s.Unclear {
			unclear++
		}
		for _, at := range s.Points {
			dead[at] = s.Status == "dead"
		}
	}
	for status, n := range statuses {
		p.Until(fmt.Sprintf("%d strings are %s", n, status), fmt.Sprintf(`document.querySelectorAll('.stage .life.%s').length === %d`, status, n))
	}
	p.Until(fmt.Sprintf("%d strings are unclear", unclear), fmt.Sprintf(`document.querySelectorAll('.stage .life.unclear').length === %d`, unclear))
	for side := range 2 {
		n, shown := 0, "area"
		for at, owner := range j.Owner {
			mine := owner == side+1
			if j.Guess != nil && j.Early { // what the net guesses is shaded
				lean := 2*j.Guess.First[at] - 1
				mine, shown = lean > 0.02 && side == 0 || lean < -0.02 && side == 1, "lean"
			}
			if mine && (j.Pieces[at] == 0 || dead[at]) {
				n++
			}
		}
		p.Until(fmt.Sprintf("side %d has %d points", side, n), fmt.Sprintf(`(document.querySelector('.stage .%s.own%d')?.getAttribute('d').match(/M/g) ?? []).length === %d`, shown, side, n))
	}
}

// TestJudgePage: a position is judged, asked about and changed, and the address
// holds all of it.
func TestJudgePage(t *testing.T) {
	t.Parallel()
	b := shared(t)
	base := theWorld(t).base
	ask := url.Values{"game": {"weiqi:9x9"}, "line": {halves}, "method": {"graph"}, "why": {"C9"}}
	var j view.Judgement
	if err := call("GET", base+"/api/v1/judge?"+ask.Encode(), "", nil, &j); err != nil {
		t.Fatal(err)
	}
	p := b.Page(t, base, browser.Desktop)
	p.Go("/judge")
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	p.Fill(".judge textarea", halves)
	p.Click(p.Named("Judge it"))
	p.Until("it is in the address", `location.search.includes('m=2XO5')`)
	p.JS(`(() => { const e = document.querySelector('.judge-bar select'); e.value = 'graph'; e.dispatchEvent(new Event('change')); })()`, nil)
	p.Until("the method is in the address", `location.search.includes('method=graph')`)
	asJudged(p, &j)
	p.Until("the score is told", fmt.Sprintf(`document.querySelector('.judge .life-score b').textContent === %q`, j.Score.Text))
	if n := len(j.Groups); !p.Holds(fmt.Sprintf(`document.querySelectorAll('.judge-groups tbody tr').length === %d`, n)) {
		t.Errorf("there are %d groups", n)
	}

	// Why?
	n := len(j.Steps)
	if n < 2 || j.Steps[0].Graph == nil {
		t.Fatalf("%d steps are too few to walk through", n)
	}
	p.Click(p.Named("C9: why?"))
	p.Until("the last step is shown", fmt.Sprintf(`document.querySelector('.judge-steps .muted')?.textContent === 'Step %d of %d'`, n, n))
	p.JS(`document.activeElement.blur()`, nil)
	p.Keys(keys.Home)
	p.Until("the first step is shown", `location.search.includes('step=1') && document.querySelector('.judge-steps .muted').textContent.startsWith('Step 1 of')`)
	if k := len(j.Steps[0].Graph.Vertices); !p.Holds(fmt.Sprintf(`document.querySelectorAll('.string-graph .vertex').length === %d`, k)) {
		t.Errorf("the graph does not have the %d vertices of the server", k)
	}
	p.Keys(keys.ArrowRight)
	p.Until("the second step is shown", fmt.Sprintf(`document.querySelector('.judge-rule .tag').textContent === %q && document.querySelectorAll('.string-graph .vertex').length === %d`,
		strings.ToUpper(j.Steps[1].Rule), len(j.Steps[1].Graph.Vertices)))
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	same(p)
	p.Keys(keys.Escape)
	p.Until("nothing is asked any more", `!location.search.includes('why') && document.querySelector('.judge-why').hidden`)

	// A stone more, and back.
	p.Keys("e")
	p.Until("the board can be drawn on", `document.querySelector('.judge .board').dataset.mode === 'paint'`)
	p.Click(".judge .board svg") // the middle is E5: a stroke that begins on a white stone puts a black one there
	p.Until("the stone is there", `location.search.includes('1X1XXO1X1')`)
	p.Settle()
	p.JS(`document.activeElement.blur()`, nil)
	p.Keys("z", chromedp.ModifierCtrl)
	p.Until("it is as it was", `location.search.includes('1X1XOO1X1')`)
	asJudged(p, &j)
	p.Keys("i")
	p.Until("influence is shown", `location.search.includes('influence=1') && document.querySelectorAll('.stage .lean').length === 2`)
	p.Keys("n")
	p.Until("groups have numbers", fmt.Sprintf(`document.querySelectorAll('.stage .life .number').length === %d`, strings.Count(halves, "X")+strings.Count(halves, "O")))
}

// TestJudgeOverlay: life and death is laid over the board of the viewer, and
// taken off.
func TestJudgeOverlay(t *testing.T) {
	t.Parallel()
	p := visit(t, "/records/{weiqi}#24", browser.Desktop)
	w := theWorld(t)
	var j view.Judgement
	if err := call("GET", w.base+w.places.Replace("/api/v1/records/{weiqi}/judge?ply=24"), "", nil, &j); err != nil {
		t.Fatal(err)
	}
	p.Keys("l")
	if j.Guess == nil || !j.Early {
		t.Fatal("the net is not asked in the middle of a game")
	}
	lead := strconv.FormatFloat(math.Abs(j.Guess.Lead), 'f', -1, 64)
	p.Until("the lead is told", fmt.Sprintf(`location.search.includes('life=1') && document.querySelector('.life-pane .life-score b')?.textContent.includes(' leads by ' + %q)`, lead))
	asJudged(p, &j)
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	p.Keys(keys.ArrowLeft)
	if err := call("GET", w.base+w.places.Replace("/api/v1/records/{weiqi}/judge?ply=23"), "", nil, &j); err != nil {
		t.Fatal(err)
	}
	asJudged(p, &j)
	same(p)
	p.Click(p.Named("Judge this position"))
	p.Until("the page tells more", `location.pathname === '/judge' && !!document.querySelector('.judge .life-score b')`)
	asJudged(p, &j)
	p.Back()
	p.Until("the record is back", `location.pathname.startsWith('/records/') && !!document.querySelector('.life-pane .life-score') && document.querySelectorAll('.stage .life').length > 0`)
	p.Keys("l")
	p.Until("it is taken off", `!location.search.includes('life') && document.querySelectorAll('.stage .life, .stage .area').length === 0`)
}

// TestJudgeRules: every rule that a step may name has a sentence in the texts, the
// English one being that of the package.
func TestJudgeRules(t *testing.T) {
	source, err := os.ReadFile("../game/weiqi/life/rules.go")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("i18n/en.json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for _, m := range regexp.MustCompile(`Rule\w+\s+Rule = "([a-z0-9-]+)"`).FindAllSubmatch(source, -1) {
		rules[string(m[1])] = true
	}
	if len(rules) < 20 {
		t.Fatalf("only %d rules were found", len(rules))
	}
	for code := range rules {
		if got, want := texts["judge.rule."+code], life.Rule(code).Text(); got != want {
			t.Errorf("the rule %s says %q, not %q: mend it in all languages", code, got, want)
		}
	}
	for key := range texts {
		if code, ok := strings.CutPrefix(key, "judge.rule."); ok && !rules[code] {
			t.Errorf("there is no rule %s", code)
		}
	}
}
