package web_test

import (
	"os"
	"testing"

	"qipu/internal/browser"
)

// TestPictures makes the pictures of the README anew under -rewrite, from the
// pages as they are:
//
//	go test ./web -run TestPictures -rewrite
func TestPictures(t *testing.T) {
	if !rewriting() {
		t.Skip("pictures are only made with -rewrite")
	}
	window := browser.View{Width: 1280, Height: 720}
	phone := browser.View{Width: 390, Height: 780, Touch: true}
	for _, c := range []struct {
		name, path string
		view       browser.View
	}{
		{"home", "/", window},
		{"search", "/search?g=weiqi&q=board%3A%22XO%2FOX%22", window},
		{"explore", "/explore?g=othello", window},
		{"record", "/records/{xiangqi}#20", window},
		{"records", "/records?g=weiqi", window},
		{"import", "/import?job={job}", window},
		{"phone", "/search?g=weiqi&q=board%3A%22XO%2FOX%22", phone},
		{"dark", "/explore?g=weiqi", window.AtNight()},
	} {
		p := visit(t, c.path, c.view)
		p.JS(`new Promise(done => { document.activeElement.blur(); setTimeout(done, 300) })`, nil) // pictures inside the page come late
		path := "../docs/pictures/web-" + c.name + ".png"
		p.Shot(path)
		if info, err := os.Stat(path); err != nil || info.Size() > 200_000 {
			t.Errorf("%s: the picture is missing or too large: %v", c.name, err)
		}
	}
}
