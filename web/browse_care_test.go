package web_test

import (
	"os"
	"path/filepath"
	"testing"

	"qipu/internal/browser"
	"qipu/internal/testkit"
)

// careSays is what the box of the settings says that looks after the library.
const careSays = `document.querySelector('main [role=status]').textContent`

// TestCare: the owner has the library checked and its tables made anew on the page of
// the settings, is told how far that is and what is wrong, may stop it, and finds all
// that after a reload. Others have no such box.
func TestCare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "library")
	base, stop, err := start(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	sampleGames(t, base)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/settings")
	p.Settle()
	type care struct {
		State, Started string
		OK             bool
	}
	now := func() (c care) {
		if err := call("GET", base+"/api/v1/library/care", "", nil, &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	// press begins something by a button, and waits until it is done.
	press := func(name string, ok bool) {
		t.Helper()
		before := now()
		p.Click(p.Named(name))
		testkit.Until(t, "it is done", func() bool { c := now(); return c.Started != before.Started && c.State != "running" })
		if c := now(); c.State != "done" || c.OK != ok {
			t.Errorf("%s: %+v", name, c)
		}
	}
	const check, anew = "Check", "Make the search tables anew"
	press(check, true)
	p.Until("nothing is wrong", careSays+` === 'Nothing is wrong.'`)
	press(anew, true)
	files, err := filepath.Glob(filepath.Join(dir, "segments", "*.seg"))
	if err != nil || len(files) == 0 {
		t.Fatal("no tables", err)
	}

	// A damaged table is named, also after a reload, and is whole when it was made anew.
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 0x55
	if err := os.WriteFile(files[0], data, 0o666); err != nil {
		t.Fatal(err)
	}
	named := careSays + `.startsWith('Something is wrong:') && ` + careSays + `.includes(` + literal(filepath.Base(files[0])) + `)`
	press(check, false)
	p.Until("the table is named", named)
	p.Reload()
	p.Settle()
	p.Until("it still is", named)
	press(anew, true)
	press(check, true)
	p.Until("it is whole", careSays+` === 'Nothing is wrong.'`)

	// How far it is, and the end of it by the button.
	p.JS(`(() => { const ask = window.fetch; window.running = true;
		window.fetch = async (to, how) => {
			if (!String(to.url ?? to).includes('/library/care')) return ask(to, how);
			if ((how?.method ?? to.method) === 'DELETE') window.running = false;
			if (!window.running) return ask(to, how);
			const r = await ask(to, how), c = await r.json();
			return new Response(JSON.stringify({...c, state: 'running', done: 7, total: 28}), {status: 200, headers: {'Content-Type': 'application/json'}});
		}; })()`, nil)
	p.Click(p.Named("Check"))
	p.Until("it is told how far it is", careSays+` === '7 of 28 games'`)
	p.Click(p.Named("Stop"))
	p.Until("it has ended", careSays+` !== '7 of 28 games' && [...document.querySelectorAll('main button')].find(b => b.textContent === 'Stop').hidden`)
}
