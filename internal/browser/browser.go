// Package browser drives a real browser through the pages of the program, for
// tests: Debian's chromium, by chromedp. Where there is none, tests that need it
// are skipped and say so.
//
//	b := browser.Open(t)
//	p := b.Page(t, server.URL, browser.Desktop)
//	p.Go("/search?g=weiqi")
//	p.Click(`button.region`)
//	p.Until("hits are shown", `document.querySelectorAll('.hit').length > 0`)
//
// A Page fails its test at the end where the page complained: an exception, an
// error on the console, an answer of 5xx, or a request that left the origin.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take to become what a test waits for. It bounds
// a test that would never end, and measures nothing: machines are slow and busy.
const patience = 5 * time.Minute

// View is what a page is seen on.
type View struct {
	Width, Height int64
	Scale         float64
	Touch         bool
	Dark          bool
	Language      string // as in "zh-TW"; default "en"
}

// The views that pages must be good in.
var (
	Desktop = View{Width: 1280, Height: 900}
	Phone   = View{Width: 360, Height: 740, Scale: 2, Touch: true}
)

// In returns the view in another language.
func (v View) In(language string) View { v.Language = language; return v }

// AtNight returns the view in dark colours.
func (v View) AtNight() View { v.Dark = true; return v }

// Browser is a running browser.
type Browser struct{ ctx context.Context }

// ErrNone tells that there is no browser on this machine.
var ErrNone = errors.New("no chromium: run make deps, which installs it, or name one by QIPU_CHROMIUM")

// Open starts a browser, which ends with the test.
func Open(t *testing.T) *Browser {
	t.Helper()
	b, stop, err := Start()
	if errors.Is(err, ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return b
}

// Start starts a browser that many tests share, until stop is called. It takes
// about half a second. Pages share nothing, so that tests may run together.
func Start() (b *Browser, stop func(), err error) {
	path := ""
	for _, name := range []string{os.Getenv("QIPU_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); name != "" && err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return nil, nil, ErrNone
	}
	dir, err := os.MkdirTemp("", "qipu-browser")
	if err != nil {
		return nil, nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("font-render-hinting", "none"),
		chromedp.UserDataDir(dir), chromedp.WSURLReadTimeout(patience))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancelTab := chromedp.NewContext(ctx)
	stop = func() {
		cancelTab()
		cancel()
		_ = os.RemoveAll(dir) // the browser may still write to it: the system clears its temporary files
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	return &Browser{ctx}, stop, nil
}

// Page is a tab of its own, with nothing stored from before.
type Page struct {
	testing.TB
	ctx  context.Context
	base string
	left string // the server before this one
	view View

	mu      sync.Mutex
	trouble []string
	asked   []string // paths of requests
}

// Page opens a tab on a server.
func (b *Browser) Page(t testing.TB, base string, v View) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	p := &Page{TB: t, ctx: ctx, base: strings.TrimSuffix(base, "/"), view: v}
	p.do("start", chromedp.Func(p.listen))
	p.SetView(v)
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, s := range p.trouble {
			t.Errorf("the page complains: %s", s)
		}
		cancel()
	})
	return p
}

// SetView shows the page on something else.
func (p *Page) SetView(v View) {
	p.Helper()
	if v.Scale == 0 {
		v.Scale = 1
	}
	if v.Language == "" {
		v.Language = "en"
	}
	p.view = v
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	options := []chromedp.EmulateViewportOption{chromedp.EmulateScale(v.Scale)}
	if v.Touch {
		options = append(options, chromedp.EmulateTouch, chromedp.EmulateMobile)
	}
	p.do("view", chromedp.EmulateViewport(v.Width, v.Height, options...), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "qipu-test", AcceptLanguage: v.Language})
		return err
	}))
}

// listen notes what goes wrong in the page.
func (p *Page) listen(ctx context.Context, t *chromedp.Target) error {
	if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	// Of several pages that are open the system gives the focus to one. Each believes that it is the one: else a key
	// that goes to another page takes the ring off what has the focus here.
	if _, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watcher}); err != nil {
		return err
	}
	requests := cdp.Events(p.ctx, t, network.RequestWillBeSent)
	responses := cdp.Events(p.ctx, t, network.ResponseReceived)
	messages := chromedp.Console(p.ctx)
	go func() {
		for e, err := range requests {
			if err != nil {
				return
			}
			p.request(e.Request.URL)
		}
	}()
	go func() {
		for e, err := range responses {
			if err != nil {
				return
			}
			if e.Response.Status >= 500 {
				p.complain(fmt.Sprintf("%d from %s", e.Response.Status, e.Response.URL))
			}
		}
	}()
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			// A refusal that the page shows is on the console, too.
			if (m.Type == "error" || m.Type == chromedp.ConsoleException) && !strings.Contains(m.Text, "Failed to load resource") {
				p.complain(fmt.Sprintf("%s: %s", m.Type, m.Text))
			}
		}
	}()
	return nil
}

func (p *Page) complain(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = append(p.trouble, s)
}

func (p *Page) request(address string) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if origin := u.Scheme + "://" + u.Host; origin != p.base && origin != p.left && !strings.HasPrefix(address, "chrome") {
		p.trouble = append(p.trouble, "a request left the origin: "+address)
	}
	p.asked = append(p.asked, u.RequestURI())
}

// Forgive forgets complaints that contain a text, where a test provokes them.
func (p *Page) Forgive(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var left []string
	for _, s := range p.trouble {
		if !strings.Contains(s, text) {
			left = append(left, s)
		}
	}
	p.trouble = left
}

func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if what != "start" { // the first run must not have a deadline: the tab would end with it
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		defer cancel()
		if err := chromedp.Do(ctx, steps...); err != nil {
			p.Fatalf("%s: %v", what, err)
		}
		return
	}
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.Fatalf("%s: %v", what, err)
	}
}

// Turn has the page visit another server from now on. What it still asks of the
// one before is no complaint: a page loads scripts when it has time.
func (p *Page) Turn(base string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = p.base
	p.base = strings.TrimSuffix(base, "/")
}

// Go opens an address of the server.
func (p *Page) Go(path string) {
	p.Helper()
	p.do("go to "+path, chromedp.Navigate(p.base+path))
}

// Reload loads the page anew.
func (p *Page) Reload() {
	p.Helper()
	p.JS(`window.__old = true`, nil) // the call returns before the new document is there
	p.do("reload", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.Reload, page.ReloadParams{})
		return err
	}))
	p.Until("it is loaded", `document.readyState === 'complete' && !window.__old`)
}

// watcher runs before the scripts of a page. It counts the requests that have no
// answer yet and the pauses after which the page will act, and notes when the
// document last changed, for Settle. Event streams count until they begin, pauses
// of more than half a second not at all: nobody waits for those.
const watcher = `(() => {
	const w = window.__watch = {open: 0, pauses: new Set(), at: performance.now()};
	const count = run => async function (...args) {
		w.open++;
		try { return await run.apply(this, args); } finally { w.open--; w.at = performance.now(); }
	};
	window.fetch = count(window.fetch);
	for (const read of ['json', 'text', 'arrayBuffer', 'blob']) Response.prototype[read] = count(Response.prototype[read]);
	const begin = window.setTimeout, end = window.clearTimeout;
	window.setTimeout = (run, ms, ...args) => {
		if (ms > 500 || typeof run !== 'function') return begin(run, ms, ...args);
		const id = begin(() => { w.pauses.delete(id); w.at = performance.now(); run(...args); }, ms);
		w.pauses.add(id);
		return id;
	};
	window.clearTimeout = id => { w.pauses.delete(id); end(id); };
	new MutationObserver(() => { w.at = performance.now(); }).observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
})()`

// still is how long a page that is at rest has not changed.
const still = 110 * time.Millisecond

// Settle waits until the page is at rest: it has a main part, nothing is asked
// for, no pause runs after which it acts, nothing has changed for a while, and
// nothing stands in the place of what is to come.
func (p *Page) Settle() {
	p.Helper()
	p.Until("the page is at rest", fmt.Sprintf(`document.readyState === 'complete' && __watch.open === 0 && __watch.pauses.size === 0 && performance.now() - __watch.at > %d
	&& document.querySelector('main')?.firstElementChild && !document.querySelector('[aria-busy=true]') && ![...document.querySelectorAll('.skeleton')].some(e => e.getClientRects().length)`, still.Milliseconds()))
}

// Back goes back in the history.
func (p *Page) Back() { p.Helper(); p.JS(`history.back()`, nil) }

func (p *Page) evaluate(expression string) (string, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[string](`(async () => JSON.stringify((await (`+expression+`)) ?? null))()`, chromedp.EvalAwaitPromise))
}

// JS evaluates an expression, which may be a promise, into a value; nil takes
// none.
func (p *Page) JS(expression string, into any) {
	p.Helper()
	text, err := p.evaluate(expression)
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		p.Fatalf("%s gave %s: %v", expression, text, err)
	}
}

// Text evaluates an expression to a text.
func (p *Page) Text(expression string) (s string) {
	p.Helper()
	p.JS(`String(`+expression+`)`, &s)
	return s
}

// Holds reports whether an expression is true. Of a page that is left just then nothing is.
func (p *Page) Holds(expression string) bool {
	p.Helper()
	text, err := p.evaluate(`!!(` + expression + `)`)
	if err != nil && !strings.Contains(err.Error(), "navigated or closed") && !strings.Contains(err.Error(), "context was destroyed") {
		p.Fatalf("%s: %v", expression, err)
	}
	return text == "true"
}

// Until waits until an expression is true, and tells how long that took.
func (p *Page) Until(what, expression string) time.Duration {
	p.Helper()
	return p.await(what, expression, func() bool { return p.Holds(expression) })
}

// await asks until something is so, and tells how long that took; expression is for
// the reader of a failure.
func (p *Page) await(what, expression string, so func() bool) time.Duration {
	p.Helper()
	start := time.Now()
	for !so() {
		if time.Since(start) > patience {
			p.Shot(filepath.Join(os.TempDir(), "qipu-failed.png"))
			p.Fatalf("not in %v: %s (%s)\nat %s\n%s", patience, what, expression, p.URL(), p.Text(`document.body.innerText.slice(0, 2000)`))
		}
		time.Sleep(min(5*time.Millisecond+time.Since(start)/10, 30*time.Millisecond)) // every look costs both sides
	}
	return time.Since(start)
}

// URL returns the address without the server.
func (p *Page) URL() string {
	p.Helper()
	return p.Text(`location.pathname + location.search + location.hash`)
}

// Asked returns the paths of the requests so far.
func (p *Page) Asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.asked...)
}

// quote returns a text as a literal of the page's language.
func quote(s string) string {
	b, _ := json.Marshal(s) // a string is always JSON
	return string(b)
}

// found returns the expression that finds an element by a selector of the style
// sheets, or by one that Named made, anew at each look: a page may draw it again.
func found(selector string) string {
	name, ok := strings.CutPrefix(selector, byName)
	if !ok {
		return `document.querySelector(` + quote(selector) + `)`
	}
	return `[...document.querySelectorAll('button,a[href],input,select,textarea,summary,[role=button],[role=tab],[role=radio],[role=menuitem],[role=switch],[role=option]')]
	.filter(e => e.getClientRects().length > 0)
	.find(e => (e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? '').trim() === ` + quote(name) + `)`
}

// At returns the middle of an element, which it scrolls into view first. It waits
// until the element is there and stays where it is: a page that is still being laid
// out, or drawn again, moves what is to be hit.
func (p *Page) At(selector string) (x, y float64) {
	p.Helper()
	var at, before []float64
	look := `(async () => { const e = ` + found(selector) + `; if (!e?.getClientRects().length) return null; e.scrollIntoView({block: 'nearest', inline: 'nearest'});
	await new Promise(go => setTimeout(go, 20)); if (!e.isConnected) return null; const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`
	p.await(selector+" is there and stays", look, func() bool {
		before, at = at, nil
		p.JS(look, &at)
		return at != nil && slices.Equal(at, before)
	})
	return at[0], at[1]
}

// Click clicks an element, or taps it where the view is one for fingers.
func (p *Page) Click(selector string) {
	p.Helper()
	x, y := p.At(selector)
	p.ClickXY(x, y)
}

// byName begins what Named returns.
const byName = "named:"

// Named returns what Click and At take for the control of an accessible name, as it
// is written in the page or in its aria-label.
func (p *Page) Named(name string) string { return byName + name }

// ClickXY clicks or taps a place of the window.
func (p *Page) ClickXY(x, y float64) {
	p.Helper()
	if p.view.Touch {
		p.touch([][2]float64{{x, y}})
		return
	}
	p.do("click", chromedp.MouseClickXY(x, y))
}

// ClickWith clicks a place with keys held down.
func (p *Page) ClickWith(x, y float64, modifiers ...chromedp.Modifier) {
	p.Helper()
	p.do("click", chromedp.MouseClickXY(x, y, chromedp.ButtonModifiers(modifiers...)))
}

// Drag drags from one place of the window to another, with the left button or a
// finger; Right drags with the right button.
func (p *Page) Drag(x1, y1, x2, y2 float64) {
	p.Helper()
	if p.view.Touch {
		path := [][2]float64{}
		for i := range 6 {
			f := float64(i) / 5
			path = append(path, [2]float64{x1 + (x2-x1)*f, y1 + (y2-y1)*f})
		}
		p.touch(path)
		return
	}
	p.drag(x1, y1, x2, y2, chromedp.ButtonLeft)
}

// DragRight drags with the right button.
func (p *Page) DragRight(x1, y1, x2, y2 float64) {
	p.Helper()
	p.drag(x1, y1, x2, y2, chromedp.ButtonRight)
}

func (p *Page) drag(x1, y1, x2, y2 float64, button chromedp.MouseOption) {
	p.Helper()
	steps := []chromedp.Action[chromedp.Void]{chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x1, y1), chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x1, y1, button, chromedp.ClickCount(1))}
	for i := 1; i <= 5; i++ {
		f := float64(i) / 5
		steps = append(steps, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x1+(x2-x1)*f, y1+(y2-y1)*f, button))
	}
	p.do("drag", append(steps, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x2, y2, button, chromedp.ClickCount(1)))...)
}

// touch puts a finger down, moves it along a path, and lifts it.
func (p *Page) touch(path [][2]float64) {
	p.Helper()
	p.do("touch", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for i, at := range path {
			kind := input.DispatchTouchEventTypeTouchMove
			if i == 0 {
				kind = input.DispatchTouchEventTypeTouchStart
			}
			if _, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{{X: at[0], Y: at[1]}}}); err != nil {
				return err
			}
		}
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
		return err
	}))
}

// Keys types: letters, and keys of package kb.
func (p *Page) Keys(keys string, modifiers ...chromedp.Modifier) {
	p.Helper()
	p.do("keys", chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// Fill puts a text into a field, as if it had been typed.
func (p *Page) Fill(selector, text string) {
	p.Helper()
	p.Until(selector+" is there", `document.querySelector(`+quote(selector)+`) !== null`)
	p.JS(`(() => { const e = document.querySelector(`+quote(selector)+`); e.focus(); e.select?.() })()`, nil)
	p.do("type", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

// Wheel turns the wheel over a place.
func (p *Page) Wheel(x, y, delta float64) {
	p.Helper()
	p.do("wheel", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		// The typed call leaves out a deltaX of 0, which the browser insists on.
		return t.Call(ctx, input.CommandDispatchMouseEvent, map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta}, nil)
	}))
}

// Shot writes a picture of the window to a file.
func (p *Page) Shot(path string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	data, err := chromedp.Run(ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		res, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng})
		return res.Data, err
	})
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		p.Errorf("screenshot %s: %v", path, err)
	}
}

// Authenticator gives the page an authenticator whose owner has unlocked it, for passkeys.
// It has none yet.
func (p *Page) Authenticator() {
	p.Helper()
	p.do("authenticator", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, AutomaticPresenceSimulation: true, IsUserVerified: true,
		}})
		return err
	}))
}
