package pdf_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/sfnt"

	"qipu/board/picture"
	"qipu/board/picture/pdf"
	"qipu/board/picture/pdf/pdftest"
)

const lines = "Honinbo Shūsaku – 本因坊秀策 ½\n名局 한국어 ひらがな žluťoučký 12(47)\n\x01tab\tand 𠮷"

// document has text in all scripts and a picture on two pages.
func document(t *testing.T, o pdf.Options) []byte {
	t.Helper()
	d, err := pdf.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := d.Page(595, 842)
	for i, line := range strings.Split(lines, "\n") {
		p.Text(50, 50+20*float64(i), pdf.Style{Size: 12, Bold: i == 0}, line)
	}
	svg, err := os.ReadFile("../../draw/testdata/go-overlays.svg")
	if err != nil {
		t.Fatal(err)
	}
	pic, err := picture.Read(svg)
	if err != nil {
		t.Fatal(err)
	}
	q := d.Page(360, 640)
	q.Picture(pic, 20, 20, 320)
	q.Rule(20, 400, 340)
	var out bytes.Buffer
	if _, err := d.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestText: every letter that is written can be read again, by a reader that goes by the
// file's own tables, and by another program where there is one.
func TestText(t *testing.T) {
	for _, lang := range []string{"en", "ja", "ko", "zh-Hant", "zh-Hans", ""} {
		data := document(t, pdf.Options{Title: "秀策", Language: lang})
		if again := document(t, pdf.Options{Title: "秀策", Language: lang}); !bytes.Equal(data, again) {
			t.Errorf("%s: the same document has other bytes", lang)
		}
		pages, err := pdftest.Text(data)
		if err != nil {
			t.Fatalf("%s: %v", lang, err)
		}
		if len(pages) != 2 {
			t.Fatalf("%s: %d pages", lang, len(pages))
		}
		want := strings.NewReplacer("\n", "", "\x01", " ", "\t", " ").Replace(lines)
		if got := strings.Join(pages[0], ""); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
		if !slices.Contains(pages[1], "127") {
			t.Errorf("%s: the picture lacks the number of a move: %q", lang, pages[1])
		}
		if _, err := exec.LookPath("pdftotext"); err != nil {
			continue
		}
		name := filepath.Join(t.TempDir(), "a.pdf")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		var problems bytes.Buffer
		cmd := exec.Command("pdftotext", "-raw", name, "-")
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err != nil || problems.Len() > 0 && !strings.Contains(problems.String(), "language pack") {
			t.Errorf("%s: pdftotext: %v, %s", lang, err, problems.String())
		}
		if text := string(out); !strings.Contains(text, "Honinbo Shūsaku") || !strings.Contains(text, "127") {
			t.Errorf("%s: pdftotext reads %q", lang, text)
		}
	}
}

// TestFont: of a font that the caller names the letters that are used are embedded, in a
// font that others read.
func TestFont(t *testing.T) {
	data := document(t, pdf.Options{Font: gomono.TTF})
	if len(data) > 80_000 {
		t.Errorf("%d bytes: the font is embedded whole", len(data))
	}
	if _, err := sfnt.Parse(gomono.TTF); err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{{}, []byte("OTTO"), gomono.TTF[:300], gomono.TTF[:40_000], bytes.Repeat([]byte{0xFF}, 4096)} {
		if _, err := pdf.New(pdf.Options{Font: bad}); err == nil {
			t.Errorf("%d bytes that are no font are taken for one", len(bad))
		}
	}
}

// TestWrap: no line is wider than the paper, and nothing is lost but spaces at breaks.
func TestWrap(t *testing.T) {
	d, err := pdf.New(pdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := pdf.Style{Size: 10}
	plain := func(text string) string { return strings.Join(strings.Fields(text), "") }
	for _, text := range []string{
		"White 12 is large, but Black has the last big point; after that the game is close.", strings.Repeat("x", 300),
		strings.Repeat("白の十二は大きい、", 20), "a\n\nb", "", " ", "黒1、白2 and then 흑 3",
	} {
		for _, width := range []float64{12, 60, 200} {
			got := d.Wrap(text, s, width)
			for _, line := range got {
				if w := d.Width(line, s); w > width && len([]rune(line)) > 2 {
					t.Errorf("%q is %.1f wide, where there are %.1f", line, w, width)
				}
			}
			if plain(strings.Join(got, "")) != plain(text) {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}
