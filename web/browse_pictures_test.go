package web_test

import (
	"os"
	"strings"
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
	var game session
	begin := `{"game":"othello","side":"second","level":3,"seed":1,"line":"f5d6c3d3c4f4c5b3c2e3"}`
	if err := call("POST", theWorld(t).base+"/api/v1/sessions", "application/json", strings.NewReader(begin), &game); err != nil {
		t.Fatal(err)
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
		{"play", "/play?g=othello&s=" + game.ID, window},
		{"learn", "/learn/openings?g=othello&o=f5d6", window},
		{"record", "/records/{xiangqi}#20", window},
		{"shapes", "/shapes?term=cut", window},
		{"names", "/names?g=xiangqi&kind=mate", window},
		{"lab", "/lab?g=kalah:houses%3D3,seeds%3D3&x=minimax-4.alphabeta-4", browser.View{Width: 1280, Height: 800}},
		{"hints", "/records/{weiqi}?hints=1#30", window},
		{"records", "/records?g=weiqi", window},
		{"import", "/import?job={job}", window},
		{"phone", "/search?g=weiqi&q=board%3A%22XO%2FOX%22", phone},
		{"dark", "/explore?g=weiqi", window.AtNight()},
	} {
		p := visit(t, c.path, c.view)
		p.JS(`(() => { document.querySelector('.play-tips button')?.click(); document.activeElement.blur() })()`, nil)
		p.Settle()
		p.Until("the pictures in the page are there", `[...document.images].every(i => i.complete)`)
		path := "../docs/pictures/web-" + c.name + ".png"
		p.Shot(path)
		if info, err := os.Stat(path); err != nil || info.Size() > 200_000 {
			t.Errorf("%s: the picture is missing or too large: %v", c.name, err)
		}
	}
}
