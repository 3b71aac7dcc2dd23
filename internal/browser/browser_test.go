package browser_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"qipu/internal/browser"
)

// TestPage drives a small page by all means that the package has.
func TestPage(t *testing.T) {
	const body = `<!doctype html><meta charset=utf-8><meta name=viewport content="width=device-width"><title>t</title><link rel=icon href="data:,">
<button aria-label="Go">x</button><input id=in><div id=pad style="width:200px;height:200px;touch-action:none"></div><script>
window.log = [];
for (const k of ['pointerdown','pointerup','wheel']) document.querySelector('#pad').addEventListener(k, e => log.push(k + e.button));
document.querySelector('button').onclick = () => log.push('go');
document.onkeydown = e => log.push(e.key);
</script>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(body))
	}))
	defer server.Close()
	b := browser.Open(t)
	for name, v := range map[string]browser.View{"desktop": browser.Desktop, "phone": browser.Phone.In("ja").AtNight()} {
		t.Run(name, func(t *testing.T) {
			p := b.Page(t, server.URL, v)
			p.Go("/a?b#c")
			if got := p.URL(); got != "/a?b#c" {
				t.Errorf("URL %s", got)
			}
			p.Click(p.Named("Go"))
			x, y := p.At("#pad")
			p.Drag(x-20, y-20, x+20, y+20)
			p.Fill("#in", "棋譜")
			p.Until("all has happened", `log.includes('go') && log.includes('pointerdown0') && log.includes('pointerup0') && document.querySelector('#in').value === '棋譜'`)
			p.JS(`document.activeElement.blur()`, nil)
			p.Keys("q")
			p.Until("the key was pressed", `log.includes('q')`)
			if v.Dark != p.Holds(`matchMedia('(prefers-color-scheme: dark)').matches`) {
				t.Error("wrong colours")
			}
			if got := p.Text(`innerWidth`); v.Touch && got != "360" {
				t.Errorf("width %s", got)
			}
			if v.Touch {
				return
			}
			p.DragRight(x, y, x+30, y+30)
			p.Wheel(x, y, 100)
			p.Until("the wheel was turned", `log.includes('pointerdown2') && log.some(s => s.startsWith('wheel'))`)
		})
	}
}
