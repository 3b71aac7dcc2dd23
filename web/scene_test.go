package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/evanw/esbuild/pkg/api"

	"qipu/board"
	"qipu/board/boardtest"
	"qipu/board/draw"
	"qipu/builtin"
	"qipu/game"
	"qipu/internal/testkit"
)

// The board of the client runs in a browser here, since that is what it is for;
// one is started for all tests of this file.

// entry is a page that has the modules of the board as globals and remembers
// what the callbacks told.
const entry = `
import * as points from './src/core';
import * as symmetry from './src/symmetry';
import * as scene from './src/scene';
import {Board} from './src/board';
import {mini, cellIcon} from './src/minis';
const core = {...points, ...symmetry};
Object.assign(window, {core, scene, Board, mini, cellIcon, told: []});
const tell = (name, ...more) => { told.push([name, ...more].map(v => v && v.left !== undefined ? Object.values(v).join() : v && v.button !== undefined ? v.button : v).join(' ')); };
window.show = (state, options = {}) => {
  document.querySelector('#app').replaceChildren();
  told.length = 0;
  const b = new Board({coordinates: true, glyphs, ...state}, {
    animate: false,
    t: (key, params) => key + (params ? ' ' + Object.values(params).join(' ') : ''), lang: 'en', announce: text => tell('say', text),
    onPoint: (p, c) => tell('point', name(p), c.button),
    onPaint: (p, c) => tell('paint', name(p), c.button, c.first),
    onRegion: (r, done) => { b.update({region: r}); tell('region', r && core.regionName(b.state.geometry, r), done); },
    onPick: p => { b.update({selected: p ?? undefined}); tell('pick', p === null ? 'none' : name(p)); },
    onDrag: (a, z) => { b.update({selected: undefined}); tell('drag', name(a), name(z)); },
    onWheel: n => tell('wheel', n),
    onHover: p => { if (options.hover) tell('hover', p === null ? 'none' : name(p)); },
    ...options,
  });
  const name = p => core.pointName(b.state.geometry, p);
  window.b = b;
  document.querySelector('#app').append(b.node);
  b.refresh();
};
// at returns where a place of the board is in the window, offset by steps.
window.at = (point, dx = 0, dy = 0) => {
  const w = scene.where(b.state, core.pointOf(b.state.geometry, point)), m = b.svg.getScreenCTM();
  const p = new DOMPoint(w.x + 40 * dx, w.y + 40 * dy).matrixTransform(m);
  return [p.x, p.y];
};
window.tap = point => {
  const [clientX, clientY] = at(point), more = {clientX, clientY, pointerType: 'touch', pointerId: 7, isPrimary: true, bubbles: true, cancelable: true};
  b.svg.setPointerCapture = () => {}; // there is no such finger
  for (const type of ['pointerdown', 'pointerup']) b.svg.dispatchEvent(new PointerEvent(type, more));
};
`

// further are boards as no game of the house has them.
func further() map[string]*board.Geometry {
	return map[string]*board.Geometry{"chequered": boardtest.Chequered(), "hexagons": boardtest.Hexagons(11)}
}

// browse opens the page of entry, or skips the test.
func browse(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium or Chrome on this machine: the board is not tested")
	}
	built := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: entry, ResolveDir: ".", Loader: api.LoaderJS},
		Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, LogLevel: api.LogLevelSilent,
		Loader: map[string]api.Loader{".svg": api.LoaderDataURL},
	})
	if len(built.Errors) > 0 {
		t.Fatalf("bundling: %v", built.Errors)
	}
	geometries, glyphs := map[string]board.Geometry{}, map[string]string{}
	for _, rules := range builtin.Games() {
		g := rules.Geometry().Whole()
		geometries[rules.Info().Name] = g
		for _, look := range g.Pieces {
			for _, r := range look.Glyph + look.Simplified + "楚河漢界一二三四五六七八九" {
				if d, ok := draw.Outline(r); ok {
					glyphs[string(r)] = d
				}
			}
		}
	}
	for name, g := range further() {
		geometries[name] = g.Whole()
	}
	data, err := json.Marshal(map[string]any{"games": geometries, "glyphs": glyphs})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	file := func(name, kind string, content []byte) {
		mux.HandleFunc(name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Content-Security-Policy", "default-src 'self'")
			w.Write(content)
		})
	}
	file("/data.js", "text/javascript", fmt.Appendf(nil, "Object.assign(window, %s)", data))
	file("/page.js", "text/javascript", built.OutputFiles[0].Contents)
	mux.HandleFunc("/board.css", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "styles/board.css") })
	file("/", "text/html; charset=utf-8", []byte(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>board</title>
<link rel="stylesheet" href="/board.css"><body><div id="app"></div><script src="/data.js"></script><script src="/page.js"></script>`))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true))
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(800, 800), chromedp.Navigate(server.URL)); err != nil {
		t.Fatal(err)
	}
	return ctx
}

func eval[T any](t *testing.T, ctx context.Context, script string, args ...any) T {
	t.Helper()
	script = fmt.Sprintf(script, args...)
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%.120s: %v", script, err)
	}
	return v
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func TestBoard(t *testing.T) {
	ctx := browse(t)
	t.Run("core", func(t *testing.T) { testCore(t, ctx) })
	t.Run("further", func(t *testing.T) { testFurther(t, ctx) })
	t.Run("cells", func(t *testing.T) { testCells(t, ctx) })
	t.Run("scene", func(t *testing.T) { testScene(t, ctx) })
	t.Run("pointer", func(t *testing.T) { testPointer(t, ctx) })
	t.Run("keys", func(t *testing.T) { testKeys(t, ctx) })
	t.Run("touch", func(t *testing.T) { testTouch(t, ctx) })
	t.Run("layers", func(t *testing.T) { testLayers(t, ctx) })
	t.Run("minis", func(t *testing.T) { testMinis(t, ctx) })
}

// testCore compares names, symmetries and text boards with package board, which
// the server uses.
func testCore(t *testing.T, ctx context.Context) {
	for _, rules := range builtin.Games() {
		name, g := rules.Info().Name, rules.Geometry()
		planes := rules.Start().(game.Planar).Planes()
		pieces := make([]int, g.Size.Area())
		for i := range planes.Of {
			for p := range planes.Of[i].Points() {
				pieces[g.Size.Index(p)] = i + 1
			}
		}
		list, _ := json.Marshal(pieces)
		names := eval[[]string](t, ctx, "Array.from({length: %d}, (_, p) => core.pointName(games.%s, p))", g.Size.Area(), name)
		for i, got := range names {
			if want := g.Name(g.Size.Point(i)); got != want {
				t.Errorf("%s: point %d is called %q, want %q", name, i, got, want)
			}
		}
		for _, flip := range []bool{false, true} {
			last := board.At(2, 3)
			want := draw.Text(&draw.Scene{Geometry: g, Planes: planes, Coordinates: true, Flip: flip, Last: &draw.Step{From: board.NoPoint, To: last}}, draw.TextOptions{})
			got := eval[string](t, ctx, "core.textBoard({geometry: games.%s, glyphs, pieces: %s, coordinates: true, flip: %t, last: {to: %d}})", name, list, flip, g.Size.Index(last))
			if got != withoutWalls(want) {
				t.Errorf("%s, flip %t:\n%s\nwant\n%s", name, flip, got, withoutWalls(want))
			}
		}
		for sym := range board.NumSymmetries {
			moved := eval[[]int](t, ctx, "Array.from({length: %d}, (_, p) => core.transformPoint(games.%s.size, %q, p))", g.Size.Area(), name, sym)
			for i, got := range moved {
				if want := sym.Turned(g.Size).Index(sym.Apply(g.Size, g.Size.Point(i))); got != want {
					t.Fatalf("%s: %s takes %d to %d, want %d", name, sym, i, got, want)
				}
			}
			same := eval[bool](t, ctx, `(() => { const s = games.%s.size, r = {left: 1, top: 2, right: 5, bottom: 3};
				return core.sameRegion(r, core.transformRegion(core.turnedSize(s, %q), core.inverse(%q), core.transformRegion(s, %q, r))); })()`, name, sym, sym, sym)
			if !same {
				t.Errorf("%s: a region does not come back from %s", name, sym)
			}
		}
		twice := eval[bool](t, ctx, `(() => { const g = games.%s, p = %s, s = q => core.transformPieces(g, 'half-turn', true, q); return s(s(p)).join() === p.join() && s(p).join() !== core.transformPieces(g, 'half-turn', false, p).join(); })()`, name, list)
		if planes.Of != nil && !twice && strings.Trim(string(list), "[0,]") != "" {
			t.Errorf("%s: turning and swapping twice is not the identity", name)
		}
	}
}

// testFurther compares boards of other forms with those that package draw
// writes, and tells every point under its own place and no other.
func testFurther(t *testing.T, ctx context.Context) {
	for name, g := range further() {
		planes := board.NewPlanes(g.Size, len(g.Pieces))
		pieces := make([]int, g.Size.Area())
		for i := 0; i < len(pieces); i += 5 {
			planes.Put(g.Size.Point(i), board.Piece(1+i%2))
			pieces[i] = 1 + i%2
		}
		list, _ := json.Marshal(pieces)
		for _, flip := range []bool{false, true} {
			want := draw.Text(&draw.Scene{Geometry: g, Planes: planes, Coordinates: true, Flip: flip}, draw.TextOptions{})
			if got := eval[string](t, ctx, "core.textBoard({geometry: games.%s, glyphs, pieces: %s, coordinates: true, flip: %t})", name, list, flip); got != want {
				t.Errorf("%s, flip %t:\n%s\nwant\n%s", name, flip, got, want)
			}
			bad := eval[[]string](t, ctx, `(() => { const s = {geometry: games.%s, glyphs, pieces: [], flip: %t}, bad = [];
				for (let p = 0; p < core.area(s.geometry.size); p++) for (const [dx, dy] of [[0, 0], [.4, 0], [-.4, 0], [0, .4], [0, -.4], [.3, .3]]) {
					const w = scene.where(s, p), hit = scene.nearest(s, w.x + 40 * dx, w.y + 40 * dy);
					if (hit !== p) bad.push([p, dx, dy, hit].join(' '));
				} return bad; })()`, name, flip)
			if len(bad) > 0 {
				t.Errorf("%s, flip %t: %d places are taken for other points, such as %v", name, flip, len(bad), bad[0])
			}
		}
	}
}

// withoutWalls takes the palaces and the river out of a text board, which would
// only be in the way where it is read aloud.
func withoutWalls(text string) string {
	lines := []string{}
	for line := range strings.Lines(strings.ReplaceAll(text, "|", " ")) {
		if !strings.Contains(line, "~") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// testCells checks that cells survive being written, and the signs of the query
// language.
func testCells(t *testing.T, ctx context.Context) {
	for _, name := range []string{"weiqi", "othello", "renju", "xiangqi"} {
		bad := eval[[]string](t, ctx, `(() => { const g = games.%s, bad = [], all = core.anyCell(g);
			for (let cell = 1; cell <= all; cell += all > 100 ? 7 : 1) {
				const text = core.cellText(g, cell), back = core.readRow(g, text + text);
				if (!back || back.length !== 2 || back[0] !== cell || back[1] !== cell) bad.push(cell + ' ' + text + ' ' + back);
				if (core.swapCell(g, core.swapCell(g, cell)) !== cell) bad.push('swap ' + text);
			} return bad; })()`, name)
		if len(bad) > 0 {
			t.Errorf("%s: cells do not come back: %v", name, bad[:min(5, len(bad))])
		}
	}
	for _, tt := range []struct{ game, cell, want string }{
		{"weiqi", "1", "."}, {"weiqi", "2", "X"}, {"weiqi", "3", "x"}, {"weiqi", "4", "O"}, {"weiqi", "5", "o"}, {"weiqi", "6", "[XO]"}, {"weiqi", "7", "*"},
		{"xiangqi", "core.sideCell(g, 0)", "[+]"}, {"xiangqi", "core.sideCell(g, 1) | 1", "[-.]"}, {"xiangqi", "core.notCell(g, 1 << 4)", "[^R]"},
		{"xiangqi", "core.anyCell(g) & ~1", "[+-]"}, {"xiangqi", "1 << 4 | 1 << 11 | 1", "[Rr.]"},
	} {
		if got := eval[string](t, ctx, "(g => core.cellText(g, %s))(games.%s)", tt.cell, tt.game); got != tt.want {
			t.Errorf("%s %s is written %q, want %q", tt.game, tt.cell, got, tt.want)
		}
	}
	for _, row := range []string{"#X", "X~", "[Q]", "x["} {
		if eval[bool](t, ctx, "core.readRow(games.weiqi, %q) !== null", row) {
			t.Errorf("%q is read as a row of Go", row)
		}
	}
	if got := eval[string](t, ctx, `core.diagram({geometry: games.weiqi, pieces: [1, 2, 0], cells: new Map([[2, 7], [19, 3]])}, {left: 0, top: 0, right: 2, bottom: 1}).join('/')`); got != "XO*/x.." {
		t.Errorf("diagram: %s", got)
	}
	if got := eval[string](t, ctx, `core.regionName(games.weiqi, core.parseRegion(games.weiqi, 'c3:j9'))`); got != "C3:J9" {
		t.Errorf("region: %s", got)
	}
}

// everything is a state with all overlays at once.
const everything = `(name, more) => { const g = games[name], n = core.area(g.size), cells = new Map(core.legend(g).map((l, i) => [n - 1 - i, l.cell]));
	return {geometry: g, glyphs, pieces: Array.from({length: n}, (_, i) => i % 5 < 2 && i < n / 2 ? 1 + i % g.pieces.length : 0), coordinates: true,
		last: {from: 3, to: 5}, ghost: {at: 2, piece: 1}, selected: 5, cursor: 7, legal: [0, 1, 2, 3], hints: [8], labels: new Map([[0, '1'], [2, '23'], [4, 'A']]),
		marks: new Map([[0, 'circle'], [2, 'square'], [3, 'triangle'], [6, 'cross']]), heat: new Map([[1, {value: 2, text: '9'}], [3, {value: -1, title: 'x'}], [4, {value: NaN}]]),
		arrows: [{from: 0, to: 7}, {from: 1, to: 1}], region: {left: 1, top: 1, right: 3, bottom: 4}, handles: true, cells, dim: true, ...more}; }`

// testScene states laws of all scenes: finite numbers, no reference without its
// definition, nothing outside a crop, the same number of shapes when turned.
func testScene(t *testing.T, ctx context.Context) {
	faults := eval[[]string](t, ctx, `(() => { const state = %s, faults = [];
		const walk = (s, f) => { f(s); (s.kids ?? []).forEach(k => walk(k, f)); };
		for (const name in games) for (const set of ['traditional', 'simplified', 'symbols']) {
			const counts = [];
			for (const more of [{}, {flip: true}, {crop: {left: 1, top: 2, right: 4, bottom: 5}}, {crop: {left: 0, top: 0, right: 2, bottom: 2}, flip: true}]) {
				const s = state(name, {set, ...more}), ids = new Set(), f = scene.frame(s);
				for (const d of scene.definitions(s)) walk(d, x => { if (x.attrs.id) ids.add('#' + x.attrs.id); });
				let n = 0;
				for (const l of scene.scene(s)) for (const top of l.shapes) walk(top, x => {
					n++;
					for (const [key, v] of Object.entries(x.attrs)) {
						if (/NaN|undefined|Infinity|null/.test(String(v))) faults.push([name, l.name, x.tag, key, v].join(' '));
						if (key === 'href' && !ids.has(v) && !/^data:.*#[KABRNCP]$/.test(v)) faults.push([name, set, 'no', v].join(' '));
					}
					const at = [x.attrs.x ?? x.attrs.cx, x.attrs.y ?? x.attrs.cy];
					if (l.name === 'pieces' && !(at[0] > f.x && at[1] > f.y && at[0] < f.x + f.w && at[1] < f.y + f.h)) faults.push(name + ': piece outside');
				});
				counts.push(n);
				for (const y of [0, 0.45, 0.5]) for (const p of [0, 10, core.area(s.geometry.size) - 1]) {
					const w = scene.where(s, p), shown = !s.crop || core.inRegion(s.geometry.size, s.crop, p);
					const hit = scene.nearest(s, w.x, w.y + 40 * (y === 0.5 ? 0 : y));
					const want = shown && (y !== 0.45 || s.geometry.cells) ? p : -1;
					if (hit !== want) faults.push([name, JSON.stringify(more), 'nearest', p, y, hit].join(' '));
				}
			}
			if (counts[0] !== counts[1]) faults.push(name + ' has ' + counts + ' shapes');
		} return faults; })()`, everything)
	if len(faults) > 0 {
		t.Errorf("%d faults, such as %v", len(faults), faults[:min(8, len(faults))])
	}
	for _, width := range []int{360, 601, 1000} {
		for _, ratio := range []string{"1", "1.25", "2", "3"} {
			off := eval[float64](t, ctx, `(() => { const f = scene.fit({geometry: games.weiqi, coordinates: true}, %d, 2000, %s), px = f.unit * 40 * %s;
				return f.width > %d ? 99 : Math.abs(px - Math.round(px)); })()`, width, ratio, ratio, width)
			if off > 1e-6 {
				t.Errorf("at %d pixels and ratio %s a step is off whole pixels by %g", width, ratio, off)
			}
		}
	}
}

// told returns what the callbacks have told since the last call.
func told(t *testing.T, ctx context.Context) string {
	t.Helper()
	return strings.Join(eval[[]string](t, ctx, "told.splice(0)"), "; ")
}

func place(t *testing.T, ctx context.Context, args string) (x, y float64) {
	t.Helper()
	at := eval[[]float64](t, ctx, "at(%s)", args)
	return at[0], at[1]
}

// stroke presses at the first place, moves over the others and lets go.
func stroke(t *testing.T, ctx context.Context, button chromedp.MouseOption, places ...string) {
	t.Helper()
	for i, args := range places {
		x, y := place(t, ctx, args)
		if i == 0 {
			do(t, ctx, chromedp.MouseEvent(chromedp.MousePressed, x, y, button, chromedp.ClickCount(1)))
		} else {
			do(t, ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y, button))
		}
	}
	x, y := place(t, ctx, places[len(places)-1])
	do(t, ctx, chromedp.MouseEvent(chromedp.MouseReleased, x, y, button, chromedp.ClickCount(1)))
}

func testPointer(t *testing.T, ctx context.Context) {
	left, right := chromedp.MouseOption(chromedp.ButtonLeft), chromedp.MouseOption(chromedp.ButtonRight)
	const xiangqi = `{geometry: games.xiangqi, pieces: Array.from({length: 90}, (_, i) => i === 64 ? 6 : i === 10 ? 12 : 0), legal: [core.pointOf(games.xiangqi, 'e2'), 10]}`
	for _, tt := range []struct {
		name, state, options string
		button               chromedp.MouseOption
		places               []string
		want                 string
	}{
		{"click", "{geometry: games.weiqi, pieces: []}", "{}", left, []string{"'D4'"}, "point D4 0"},
		{"flipped", "{geometry: games.weiqi, pieces: [], flip: true}", "{}", left, []string{"'D4'"}, "point D4 0"},
		{"near", "{geometry: games.weiqi, pieces: []}", "{}", left, []string{"'D4', .25, .25"}, "point D4 0"},
		{"dead zone", "{geometry: games.weiqi, pieces: []}", "{}", left, []string{"'D4', .35, .35"}, ""},
		{"no dead zone in cells", "{geometry: games.othello, pieces: []}", "{}", left, []string{"'d4', .4, .4"}, "point d4 0"},
		{"let go elsewhere", "{geometry: games.weiqi, pieces: []}", "{}", left, []string{"'D4'", "'E4'"}, ""},
		{"right click", "{geometry: games.weiqi, pieces: []}", "{}", right, []string{"'D4'"}, "point D4 2"},
		{"right drag", "{geometry: games.weiqi, pieces: []}", "{}", right, []string{"'D4'", "'F6'"}, "region D4:F6 false; region D4:F6 true"},
		{"region", "{geometry: games.weiqi, pieces: []}", "{mode: 'region'}", left, []string{"'D4', .45, .45", "'F6'", "'T19', 2, 0"}, "region D4:F6 false; region D4:T19 false; region D4:T19 true"},
		{"region away", "{geometry: games.weiqi, pieces: [], region: {left: 3, top: 3, right: 5, bottom: 5}}", "{mode: 'region'}", left, []string{"'Q4'"}, "region  true"},
		{"click in region", "{geometry: games.weiqi, pieces: [], region: {left: 3, top: 3, right: 5, bottom: 5}}", "{mode: 'region'}", left, []string{"'E15'"}, "point E15 0"},
		{"corner", "{geometry: games.weiqi, pieces: [], region: {left: 3, top: 3, right: 5, bottom: 5}}", "{}", left, []string{"'F14', .54, .54", "'H12'"}, "region D12:H16 false; region D12:H16 true"},
		{"corner, flipped", "{geometry: games.weiqi, pieces: [], flip: true, region: {left: 3, top: 3, right: 5, bottom: 5}}", "{}", left, []string{"'F14', -.54, -.54", "'H12'"}, "region D12:H16 false; region D12:H16 true"},
		{"side over the other", "{geometry: games.weiqi, pieces: [], region: {left: 3, top: 3, right: 5, bottom: 5}}", "{}", left, []string{"'D15', -.54, 0", "'H3'"}, "region F14:H16 false; region F14:H16 true"},
		{"paint", "{geometry: games.weiqi, pieces: []}", "{mode: 'paint'}", left, []string{"'D4'", "'G4'"}, "paint D4 0 true; paint E4 0 false; paint F4 0 false; paint G4 0 false"},
		{"erase", "{geometry: games.weiqi, pieces: []}", "{mode: 'paint'}", right, []string{"'D4'"}, "paint D4 2 true"},
		{"drag a piece", xiangqi, "{mode: 'move'}", left, []string{"'b2'", "'c2'", "'e2'"}, "pick b2; drag b2 e2"},
		{"drag off", xiangqi, "{mode: 'move'}", left, []string{"'b2'", "'b2', -3, 0"}, "pick b2"},
		{"pick", xiangqi, "{mode: 'move'}", left, []string{"'b2'"}, "pick b2"},
		{"put down", "{..." + xiangqi + ", selected: 64}", "{mode: 'move'}", left, []string{"'b2'"}, "pick none"},
		{"second click", "{..." + xiangqi + ", selected: 64}", "{mode: 'move'}", left, []string{"'e2'"}, "drag b2 e2"},
		{"take", "{..." + xiangqi + ", selected: 64}", "{mode: 'move'}", left, []string{"'b8'"}, "drag b2 b8"},
		{"no move", "{..." + xiangqi + ", selected: 64}", "{mode: 'move'}", left, []string{"'i5'"}, "pick none"},
	} {
		eval[chromedp.Void](t, ctx, "show(%s, %s)", tt.state, tt.options)
		stroke(t, ctx, tt.button, tt.places...)
		if got := told(t, ctx); got != tt.want {
			t.Errorf("%s: told %q, want %q", tt.name, got, tt.want)
		}
	}

	eval[chromedp.Void](t, ctx, "show({geometry: games.weiqi, pieces: []}, {hover: true, ghost: p => 2})")
	x, y := place(t, ctx, "'C3'")
	do(t, ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	if got := told(t, ctx); got != "hover C3" {
		t.Errorf("hover: %q", got)
	}
	if n := eval[int](t, ctx, "b.svg.querySelectorAll('.ghost').length"); n != 1 {
		t.Errorf("%d ghosts under the pointer, want 1", n)
	}
	wheel := `(() => { const e = new WheelEvent('wheel', {cancelable: true, ...%s}); for (let i = 0; i < %d; i++) b.svg.dispatchEvent(e); return told.splice(0).join('; ') + ' ' + e.defaultPrevented; })()`
	for _, tt := range []struct {
		event string
		times int
		want  string
	}{
		{"{deltaY: 120}", 1, "wheel 1 true"}, {"{deltaY: -3, deltaMode: 1}", 2, "wheel -1; wheel -1 true"}, {"{deltaY: 10}", 4, " true"},
		{"{deltaY: 10}", 1, "wheel 1 true"}, {"{deltaY: 120, ctrlKey: true}", 1, " false"},
	} {
		if got := eval[string](t, ctx, wheel, tt.event, tt.times); got != tt.want {
			t.Errorf("wheel %s x%d: %q, want %q", tt.event, tt.times, got, tt.want)
		}
	}
}

func testKeys(t *testing.T, ctx context.Context) {
	press := func(keys string, shift bool) string {
		t.Helper()
		options := []chromedp.KeyOption{}
		if shift {
			options = append(options, chromedp.KeyModifiers(chromedp.ModifierShift))
		}
		do(t, ctx, chromedp.KeyEvent(keys, options...))
		return told(t, ctx)
	}
	eval[chromedp.Void](t, ctx, "show({geometry: games.weiqi, pieces: [], last: {to: core.pointOf(games.weiqi, 'D4')}}, {keys: 'none'}); b.focus()")
	if got := eval[string](t, ctx, "b.node.getAttribute('aria-label')"); got != "board.size 19 19board.commaboard.count 0board.commaboard.lastMove D4" {
		t.Errorf("aria-label: %s", got)
	}
	if got := press(kb.ArrowRight, false); got != "" {
		t.Errorf("arrows belong to the page until Enter: %s", got)
	}
	for _, tt := range []struct {
		keys  string
		shift bool
		want  string
	}{
		{kb.Enter, false, "say D4, board.empty, board.last"},
		{kb.ArrowRight, false, "say E4, board.empty"},
		{kb.ArrowUp, false, "say E5, board.empty"},
		{kb.Enter, false, "point E5 0; say E5, board.empty"},
		{kb.ArrowRight, true, "say F5, board.empty; region E5:F5 true"},
		{kb.ArrowUp, true, "say F6, board.empty; region E5:F6 true"},
		{kb.ArrowLeft, true, "say E6, board.empty; region E5:E6 true"},
		{kb.Escape, false, ""},
		{kb.ArrowRight, false, ""},
	} {
		if got := press(tt.keys, tt.shift); got != tt.want {
			t.Errorf("key %q told %q, want %q", tt.keys, got, tt.want)
		}
	}
	eval[chromedp.Void](t, ctx, "show({geometry: games.xiangqi, flip: true, pieces: Array.from({length: 90}, (_, i) => i === 64 ? 6 : 0), selected: 64}, {keys: 'cursor', mode: 'move'}); b.focus()")
	if got := told(t, ctx); got != "say b2, red cannon, board.selected" {
		t.Errorf("focus by key: %s", got)
	}
	if got := press(kb.ArrowRight, false); got != "say a2, board.empty" {
		t.Errorf("on a turned board: %s", got)
	}
	if got := press(" ", false); got != "drag b2 a2; say a2, board.empty" {
		t.Errorf("space: %s", got)
	}
}

func testTouch(t *testing.T, ctx context.Context) {
	defer do(t, ctx, chromedp.EmulateViewport(800, 800))
	do(t, ctx, chromedp.EmulateViewport(360, 740, chromedp.EmulateTouch, chromedp.EmulateMobile))
	for _, tt := range []struct{ game, options, taps, want string }{
		{"weiqi", "{}", "tap('D4')", "say D4, board.empty"},
		{"weiqi", "{}", "tap('D4'); tap('E4')", "say D4, board.empty; say E4, board.empty"},
		{"weiqi", "{}", "tap('D4'); tap('D4')", "say D4, board.empty; point D4 0"},
		{"weiqi", "{mode: 'paint'}", "tap('D4'); tap('D4')", "say D4, board.empty; paint D4 0 true"},
		{"weiqi", "{twoTap: 'off'}", "tap('D4')", "point D4 0"},
		{"othello", "{}", "tap('d4')", "point d4 0"},
		{"othello", "{twoTap: 'on'}", "tap('d4')", "say d4, board.empty"},
	} {
		eval[chromedp.Void](t, ctx, "show({geometry: games.%s, pieces: []}, %s); %s", tt.game, tt.options, tt.taps)
		if got := told(t, ctx); got != tt.want {
			t.Errorf("%s, %s: %s told %q, want %q", tt.game, tt.options, tt.taps, got, tt.want)
		}
	}
	for _, name := range []string{"weiqi", "xiangqi", "othello", "renju"} {
		eval[chromedp.Void](t, ctx, "show({geometry: games.%s, pieces: []})", name)
		if over := eval[float64](t, ctx, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
			t.Errorf("%s: the board is %g pixels wider than a phone", name, over)
		}
		if gap := eval[float64](t, ctx, "b.node.clientWidth - b.svg.getBoundingClientRect().width"); gap > 30 {
			t.Errorf("%s: the board leaves %g pixels of a phone", name, gap)
		}
	}
}

// testLayers checks that a new state touches only what it changes.
func testLayers(t *testing.T, ctx context.Context) {
	got := eval[[]string](t, ctx, `(() => {
		show({geometry: games.weiqi, pieces: [1, 2, 0, 1]});
		const snapshot = () => new Map([...b.svg.children].map(g => [g.getAttribute('class'), [...g.children]]));
		const changes = state => { const before = snapshot(); b.update(state);
			return [...snapshot()].filter(([name, list]) => name && (list.length !== before.get(name).length || list.some((e, i) => e !== before.get(name)[i]))).map(([name]) => name.slice(6)).join(' '); };
		const kept = b.svg.querySelector('.layer-pieces').children[0];
		return [changes({pieces: [1, 2, 0, 1]}), changes({pieces: [1, 2, 1, 1]}), String(kept === b.svg.querySelector('.layer-pieces').children[0]),
			changes({labels: new Map([[0, '1']])}), changes({ghost: {at: 3, piece: 1}}), changes({region: {left: 0, top: 0, right: 3, bottom: 3}}), changes({})];
	})()`)
	want := []string{"", "shadows pieces", "true", "labels", "ghost", "tint region", ""}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("change %d drew %q, want %q", i, got[i], want[i])
		}
	}
}

func testMinis(t *testing.T, ctx context.Context) {
	times := eval[[]float64](t, ctx, `(() => { const times = [], state = %s;
		const minis = () => Array.from({length: 30}, (_, i) => { const s = state(['weiqi', 'xiangqi', 'othello', 'renju'][i %% 4], {});
			return mini({geometry: s.geometry, glyphs, pieces: s.pieces, last: {to: 5}, region: s.region, ...(i %% 3 ? {} : {crop: {left: 0, top: 0, right: 6, bottom: 6}})}); });
		for (let i = 0; i < 9; i++) { const start = performance.now(), div = document.createElement('div'); div.append(...minis()); document.body.append(div);
			div.getBoundingClientRect(); times.push(performance.now() - start); div.remove(); }
		return times.sort((a, b) => a - b); })()`, everything)
	t.Logf("thirty small boards take %.1f ms (median of %d)", times[len(times)/2], len(times))
	if times[0] > 60 { // 30 ms where nothing else runs
		t.Errorf("thirty small boards take at least %.1f ms", times[0])
	}
	if n := eval[int](t, ctx, "mini({geometry: games.weiqi, glyphs, pieces: Array(361).fill(1)}).querySelectorAll('*').length"); n > 20 {
		t.Errorf("a small board has %d elements", n)
	}
	if n := eval[int](t, ctx, "core.legend(games.xiangqi).filter(l => !cellIcon(games.xiangqi, glyphs, l.cell).querySelector('*')).length"); n != 0 {
		t.Errorf("%d cells have no picture", n)
	}
}
