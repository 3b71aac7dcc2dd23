package web_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"qipu/internal/browser"
	"qipu/internal/testkit"
)

// views are those in which the gallery is looked at.
var views = []struct {
	name string
	browser.View
}{
	{"light", browser.Desktop},
	{"dark", browser.Desktop.AtNight()},
	{"phone", browser.Phone},
	{"zh-Hant", browser.Desktop.In("zh-Hant")},
}

// TestGallery compares the pictures of all components with those that were looked at.
// They are kept small, as the means of squares of pixels, and may differ a little, since
// fonts do:
//
//	go test ./web -run TestGallery -rewrite
func TestGallery(t *testing.T) {
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			p := visit(t, "/gallery", v.View)
			file := filepath.Join(t.TempDir(), "gallery.png")
			var sheets []image.Image
			var games []string
			p.JS(`[...document.querySelectorAll('.gallery [data-game]')].map(x => x.dataset.game)`, &games)
			if len(games) < 5 {
				t.Fatalf("the gallery shows %q", games)
			}
			for i := range games {
				p.JS(fmt.Sprintf(`document.querySelectorAll('.gallery [data-game]')[%d].scrollIntoView()`, i), nil)
				p.Settle()
				p.Shot(file)
				sheets = append(sheets, small(t, file))
			}
			got := joined(sheets)
			path := filepath.Join("testdata", "gallery", v.name+".png")
			if testkit.Rewriting() {
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, got, 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			kept, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v: look at the gallery, and make the picture with -rewrite", err)
			}
			if share := differs(t, got, kept); share > 0.02 {
				t.Errorf("%.1f %% of the picture differ: look at /gallery, and make the picture with -rewrite if it is right", 100*share)
			}
		})
	}
}

// square is how many pixels become one of a kept picture.
const square = 8

// small reads a picture and makes it small.
func small(t *testing.T, file string) image.Image {
	t.Helper()
	img := picture(t, file)
	b := img.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx()/square, b.Dy()/square))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			var sum [3]int
			for j := range square {
				for i := range square {
					r, g, b, _ := img.At(b.Min.X+x*square+i, b.Min.Y+y*square+j).RGBA()
					sum[0] += int(r >> 8)
					sum[1] += int(g >> 8)
					sum[2] += int(b >> 8)
				}
			}
			const n = square * square
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
		}
	}
	return out
}

func picture(t *testing.T, file string) image.Image {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// joined puts pictures below each other.
func joined(list []image.Image) []byte {
	w, h := 0, 0
	for _, img := range list {
		w = max(w, img.Bounds().Dx())
		h += img.Bounds().Dy()
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	y := 0
	for _, img := range list {
		draw.Draw(out, image.Rect(0, y, w, y+img.Bounds().Dy()), img, img.Bounds().Min, draw.Src)
		y += img.Bounds().Dy()
	}
	var b bytes.Buffer
	if err := png.Encode(&b, out); err != nil {
		return nil // into memory it can be written always
	}
	return b.Bytes()
}

// differs returns the share of two pictures that is visibly not the same.
func differs(t *testing.T, a, b []byte) float64 {
	t.Helper()
	x, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	y, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if x.Bounds() != y.Bounds() {
		t.Logf("sizes %v and %v", x.Bounds(), y.Bounds())
		return 1
	}
	n, other := 0, 0
	for j := range x.Bounds().Dy() {
		for i := range x.Bounds().Dx() {
			n++
			r1, g1, b1, _ := x.At(i, j).RGBA()
			r2, g2, b2, _ := y.At(i, j).RGBA()
			far := math.Abs(float64(r1)-float64(r2)) + math.Abs(float64(g1)-float64(g2)) + math.Abs(float64(b1)-float64(b2))
			if far > 3*40*257 {
				other++
			}
		}
	}
	return float64(other) / float64(n)
}

// TestBoardContrast measures on pictures, by day and by night, how far the stones and the
// lines of small boards stand out from the ground: 3 to 1 at least. A stone stands out by
// its body or by its rim.
func TestBoardContrast(t *testing.T) {
	for _, v := range views[:2] {
		t.Run(v.name, func(t *testing.T) {
			p := visit(t, "/gallery", v.View)
			type box struct {
				Game       string
				X, Y, W, H float64
			}
			file := filepath.Join(t.TempDir(), "board.png")
			for _, state := range []string{"start", "pieces"} {
				var boxes []box
				nth := map[string]int{"start": 0, "pieces": 1}[state]
				var games int
				p.JS(`document.querySelectorAll('.gallery [data-game]:has(svg.mini)').length`, &games)
				for g := range games {
					p.JS(fmt.Sprintf(`(() => { const s = document.querySelectorAll('.gallery [data-game]:has(svg.mini)')[%d]; s.scrollIntoView(); const b = s.querySelectorAll('svg.mini')[%d].getBoundingClientRect(); return [{Game: s.dataset.game, X: b.x, Y: b.y, W: b.width, H: b.height}] })()`, g, nth), &boxes)
					p.Settle()
					p.Shot(file)
					x := boxes[0]
					r := image.Rect(int(x.X)+3, int(x.Y)+3, int(x.X+x.W)-3, int(x.Y+x.H)-3)
					low, high := extremes(picture(t, file), r)
					t.Logf("%s, %s: ground to the darkest %.1f, to the lightest %.1f", x.Game, state, low, high)
					if max(low, high) < 3 {
						t.Errorf("%s, %s: nothing on the board stands out from its ground by 3 to 1: %.2f and %.2f", x.Game, state, low, high)
					}
				}
			}
		})
	}
}

// extremes returns the contrast of the most frequent colour in a part of a picture, the
// ground, with the darkest and the lightest that at least one pixel in two hundred has.
func extremes(img image.Image, r image.Rectangle) (dark, light float64) {
	var all []float64
	counts := map[int]int{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			cr, cg, cb, _ := img.At(x, y).RGBA()
			l := luminance(cr, cg, cb)
			all = append(all, l)
			counts[int(l*200)]++
		}
	}
	slices.Sort(all)
	most := 0
	for k, n := range counts {
		if n > counts[most] {
			most = k
		}
	}
	ground := (float64(most) + 0.5) / 200
	at := len(all) / 200
	ratio := func(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }
	return ratio(ground, all[at]), ratio(ground, all[len(all)-1-at])
}

// luminance is that of WCAG, of channels up to 0xffff.
func luminance(r, g, b uint32) float64 {
	part := func(c uint32) float64 {
		x := float64(c) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}
