package web_test

import (
	"os"
	"strings"
	"testing"

	"qipu/internal/browser"
)

// TestDrill does a session by the keyboard: a right answer, one that is shown, and one
// while the server cannot be reached, which arrives later. Then an ending on a phone.
func TestDrill(t *testing.T) {
	b := shared(t)
	base := serve(t, nil)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/learn?g=xiangqi")
	p.Settle()
	hurry(p)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	shot(p, "door")
	p.Click(p.Named("Begin"))
	p.Until("it asks", `/to move/.test(document.querySelector('.quiz-ask')?.textContent ?? '')`)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	shot(p, "asks")
	answer := `JSON.parse(localStorage.getItem('qipu.drill.session')).session.items`
	write(p, p.Text(answer+`[0].answer.text`))
	p.Until("that was right", `!!document.querySelector('.quiz-ask.right')`)
	p.Until("it was sent", `JSON.parse(localStorage.getItem('qipu.drill')).answers.length === 0`)
	check(p, "names", "contrast", "width")
	shot(p, "right")
	p.Click(p.Named("Next"))
	p.Until("the second", `/^2 of/.test(document.querySelector('.quiz .side .muted').textContent)`)
	p.Click(p.Named("Show the answer"))
	p.Until("it is told", `document.querySelector('.quiz-ask.wrong')?.textContent.includes(`+answer+`[1].answer.text)`)
	p.Click(p.Named("Next"))
	p.Until("the third", `/^3 of/.test(document.querySelector('.quiz .side .muted').textContent)`)

	// Without a network the answer waits.
	p.JS(`(() => { window.wire = window.fetch; window.fetch = () => Promise.reject(new TypeError('no network')); })()`, nil)
	write(p, p.Text(answer+`[2].answer.text`))
	p.Until("that was right", `!!document.querySelector('.quiz-ask.right')`)
	p.Until("it waits", `JSON.parse(localStorage.getItem('qipu.drill')).answers.length === 1`)
	p.JS(`(() => { window.fetch = window.wire; dispatchEvent(new Event('online')); })()`, nil)
	p.Until("it was sent", `JSON.parse(localStorage.getItem('qipu.drill')).answers.length === 0`)

	phone := b.Page(t, base, browser.Phone)
	phone.Go("/learn?g=xiangqi")
	phone.Settle()
	phone.Click(phone.Named("Begin"))
	phone.Until("it asks", `/to move/.test(document.querySelector('.quiz-ask')?.textContent ?? '')`)
	if told := phone.Text(`JSON.parse(localStorage.getItem('qipu.drill.session')).session.themes.length`); told < "1" {
		t.Errorf("the server knows %s themes of three answers", told)
	}
	check(phone, "names", "frame", "contrast", "width")
	shot(phone, "phone")

	p.Go("/learn/sets")
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	shot(p, "sets")
	p.Go("/explore?g=xiangqi&m=" + strings.ReplaceAll("3ak4/9/9/9/9/9/9/5K3/9/4N4 w", " ", "%20"))
	p.Settle()
	p.Until("the table tells", `!document.querySelector('.ending').hidden && document.querySelectorAll('.ending-moves li').length > 3`)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	shot(p, "explore")
	p.Go("/names/xiangqi/KR-KAAEE")
	p.Settle()
	p.Until("the truth is told", `/82/.test(document.querySelector('.ending-truth')?.textContent ?? '')`)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	shot(p, "name")
}

// shot keeps a picture where somebody wants to look at it.
func shot(p *browser.Page, name string) {
	if dir := os.Getenv("QIPU_SHOTS"); dir != "" {
		p.Shot(dir + "/drill-" + name + ".png")
	}
}
