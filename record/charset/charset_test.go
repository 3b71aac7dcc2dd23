package charset_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"golang.org/x/text/encoding/ianaindex"

	"qipu/internal/testkit"
	"qipu/record/charset"
)

var names = []string{
	"utf-8", "utf-16le", "utf-16be", "gb18030", "hz-gb-2312", "big5", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr",
	"iso-8859-1", "iso-8859-2", "iso-8859-3", "iso-8859-5", "iso-8859-15", "windows-1250", "windows-1251", "windows-1252", "windows-1254",
	"koi8-r", "koi8-u", "ibm866", "macintosh", "x-mac-cyrillic",
}

func TestScript(t *testing.T) {
	testkit.Script(t, "testdata/decode.txt", func(t *testing.T, c testkit.Command) string {
		var data []byte
		var err error
		if c.Name == "raw" {
			var s string
			s, err = strconv.Unquote(`"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(c.Input) + `"`)
			data = []byte(s)
		} else {
			data, err = charset.Encode(c.Input, c.Named["to"])
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := charset.Decode(data, c.Named["declared"], c.Named["override"])
		if err != nil {
			return "error: " + err.Error()
		}
		if c.Named["override"] == "" && c.Named["declared"] == "" && text.BOM == 0 {
			if d := charset.Detect(data); d != text.Encoding {
				t.Errorf("%s: Detect says %s, Decode %s", c.Line, d, text.Encoding)
			}
		}
		out := text.Encoding
		if text.Guessed {
			out += " guessed"
		}
		if text.Broken > 0 {
			out += fmt.Sprintf(" broken=%d", text.Broken)
		}
		if text.BOM > 0 {
			out += fmt.Sprintf(" bom=%d", text.BOM)
		}
		if string(text.UTF8) != c.Input {
			out += "\n" + strings.ReplaceAll(string(text.UTF8), "\x00", "␀")
		}
		return out
	})
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ want, list string }{
		{"utf-8", "UTF-8 utf8 Utf_8 ASCII US-ASCII"},
		{"gb18030", "GB18030 GBK gb2312 GB_2312-80 EUC-CN cp936 x-gbk"},
		{"big5", "Big5 big-5 CP950 Big5-HKSCS"},
		{"shift_jis", "Shift_JIS shift-jis SJIS x-sjis MS_KANJI cp932 Windows-31J"},
		{"euc-kr", "EUC-KR cp949 KS_C_5601-1987 ks_c_5601 UHC"},
		{"iso-2022-jp", "ISO-2022-JP iso2022jp"},
		{"iso-8859-1", "ISO-8859-1 iso8859-1 Latin-1 latin1 ISO_8859-1"},
		{"iso-8859-15", "ISO-8859-15 Latin-9"}, {"iso-8859-3", "iso-8859-3 latin3"},
		{"windows-1252", "Windows-1252 cp1252 CP-1252"}, {"koi8-r", "KOI8-R"}, {"macintosh", "macintosh x-mac-roman"},
		{"", "x-user-defined UTF-7"},
	} {
		for _, name := range strings.Fields(c.list) {
			if got := charset.Canonical(name); got != c.want {
				t.Errorf("Canonical(%q) = %q, want %q", name, got, c.want)
			}
			if charset.Known(name) != (c.want != "") {
				t.Errorf("Known(%q) is wrong", name)
			}
		}
	}
	for _, name := range names {
		c := charset.Lookup(name)
		if c == nil || c.Name() != name {
			t.Errorf("Lookup(%q) = %v", name, c)
		}
	}
}

// TestReference decodes all characters of the basic plane that an encoding
// has, and compares with what they were encoded from.
func TestReference(t *testing.T) {
	for _, name := range names {
		e, err := ianaindex.IANA.Encoding(name)
		if err != nil || e == nil || strings.HasPrefix(name, "utf") {
			continue
		}
		enc, dec := e.NewEncoder(), e.NewDecoder()
		var text, data []byte
		for r := rune(0x80); r < 0xFFFD; r++ {
			raw, err := enc.Bytes([]byte(string(r)))
			if err != nil || utf8.RuneLen(r) < 0 {
				continue
			}
			back, err := dec.Bytes(raw)
			if err != nil {
				t.Fatal(err)
			}
			text = append(append(text, back...), '\n')
			data = append(append(data, raw...), '\n')
		}
		got, broken := charset.Lookup(name).Append(nil, data)
		if broken > 0 || !bytes.Equal(got, text) {
			i := 0
			for i < min(len(got), len(text)) && got[i] == text[i] {
				i++
			}
			t.Errorf("%s: %d broken, differs at %d of %d", name, broken, i, len(text))
		}
	}
}

// noise returns bytes like those of broken files.
func noise(r *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		switch r.IntN(4) {
		case 0:
			data[i] = "];B[pd]\\\"\n()~{}\x1b$"[r.IntN(17)]
		case 1:
			data[i] = byte(r.IntN(256))
		default:
			data[i] = byte(0x80 + r.IntN(128))
		}
	}
	return data
}

// TestPieces decodes noise in pieces of any size: the text must be the same as
// in one, and valid.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testkit.Scale(200, 5000) {
		data := noise(r, r.IntN(400))
		for _, name := range names {
			checkReader(t, data, name)
		}
	}
}

func checkReader(t *testing.T, data []byte, name string) {
	t.Helper()
	want, err := charset.Decode(data, "", name)
	if err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(want.UTF8) {
		t.Fatalf("%s: %q is not valid UTF-8", name, want.UTF8)
	}
	for _, src := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
		r, err := charset.NewReader(src, "", name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, want.UTF8) || r.Broken() != want.Broken || r.Encoding() != want.Encoding {
			t.Fatalf("%s: %q is read as %q (%d broken, %v), want %q (%d broken)", name, data, got, r.Broken(), err, want.UTF8, want.Broken)
		}
	}
}

// TestOffset checks that what is decoded from the offset on is the rest of the
// text, in the encodings without shifts.
func TestOffset(t *testing.T) {
	text := strings.Repeat("(;PB[聂卫平]C[a\nb 黑棋 ok])\n", 4000)
	for _, name := range []string{"utf-8", "gb18030", "big5", "shift_jis", "utf-16le", "iso-2022-jp", "hz-gb-2312"} {
		part := strings.NewReplacer("聂卫平", "王大明", "黑棋", "白目").Replace(text)
		data, err := charset.Encode(part, name)
		if err != nil {
			t.Fatal(name, err)
		}
		decoded, err := charset.Decode(data, name, "")
		if err != nil || string(decoded.UTF8) != part {
			t.Fatal(name, decoded.Encoding, err)
		}
		r, err := charset.NewReader(bytes.NewReader(data), name, "")
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for buf := make([]byte, 1000); ; {
			n, err := r.Read(buf)
			if err != nil {
				break
			}
			if at := read; at%7000 < 1000 && utf8.RuneStart(part[at]) {
				off := decoded.Offset(data, at)
				if got := r.Offset(int64(at)); got != int64(off) {
					t.Fatalf("%s: the reader says that %d is at %d, the text at %d", name, at, got, off)
				}
				rest, _ := charset.Decode(data[off:], "", name)
				if !strings.HasPrefix(name, "iso-2022") && !strings.HasPrefix(name, "hz") && string(rest.UTF8) != part[at:] {
					t.Fatalf("%s: at %d stands %.20q, want %.20q", name, off, rest.UTF8, part[at:])
				}
			}
			read += n
		}
		if got := r.Offset(int64(read)); got != int64(len(data)) {
			t.Errorf("%s: the end is at %d, want %d", name, got, len(data))
		}
		if got := r.Offset(10); got < 0 || got > 40 {
			t.Errorf("%s: byte 10 is said to be at %d", name, got)
		}
	}
}

// TestLate has the first character that is not ASCII far behind the sample.
func TestLate(t *testing.T) {
	data, err := charset.Encode(strings.Repeat(";B[pd];W[dp]\n", 20000)+"C[黑中盘胜，白方认输]PB[聂卫平]", "gbk")
	if err != nil {
		t.Fatal(err)
	}
	r, err := charset.NewReader(bytes.NewReader(data), "", "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil || !bytes.HasSuffix(got, []byte("黑中盘胜，白方认输]PB[聂卫平]")) || !r.Guessed() || r.Encoding() != "gb18030" {
		t.Errorf("%q %s %v", got[len(got)-40:], r.Encoding(), err)
	}
	if _, err := charset.NewReader(bytes.NewReader(data), "", "nonsense"); err == nil {
		t.Error("an unknown encoding is taken")
	}
	if _, err := charset.NewReader(iotest.ErrReader(io.ErrUnexpectedEOF), "", ""); err != io.ErrUnexpectedEOF {
		t.Errorf("an error of the source becomes %v", err)
	}
}

// TestScan steps through raw text by Width.
func TestScan(t *testing.T) {
	data, err := charset.Encode("C[ソ能表]", "shift_jis")
	if err != nil {
		t.Fatal(err)
	}
	c, guessed, bom, err := charset.Pick(data, "shift_jis", "")
	if err != nil || guessed || bom != 0 || c.Transparent() || !c.Lines() {
		t.Fatal(c.Name(), guessed, bom, err)
	}
	var at []int
	for i := 0; i < len(data); i += c.Width(data[i:]) {
		if data[i] == ']' || data[i] == '\\' {
			at = append(at, i)
		}
	}
	if len(at) != 1 || at[0] != len(data)-1 {
		t.Errorf("brackets at %v of %q", at, data)
	}
	if n := c.Width(nil); n != 0 {
		t.Errorf("nothing is %d wide", n)
	}
}

func TestAliasing(t *testing.T) {
	for _, data := range [][]byte{[]byte("(;B[pd])"), []byte("(;PB[聂卫平])")} {
		n := testing.AllocsPerRun(10, func() {
			if got, _ := charset.Decode(data, "", ""); &got.UTF8[0] != &data[0] {
				t.Error("UTF-8 is copied")
			}
		})
		if n != 0 {
			t.Errorf("%q: %v allocations", data, n)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	if _, err := charset.Encode("a聂b", "iso-8859-1"); err == nil || !strings.Contains(err.Error(), "聂") {
		t.Errorf("the error does not name the character: %v", err)
	}
	got, err := charset.Encode("né", "Latin-1")
	if err != nil || string(got) != "n\xe9" {
		t.Errorf("%q %v", got, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("(;PB[\xc4\xf4\xce\xc0\xc6]PW[x])"), "GBK")
	f.Add([]byte("\x1b$B0f;3\x1b(B"), "")
	f.Add([]byte("\xff\xfe(\x00"), "utf-16")
	f.Add([]byte("~{<:Ky2;S{~}"), "hz")
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range names {
		f.Add(noise(r, 100), name)
	}
	f.Fuzz(func(t *testing.T, data []byte, declared string) {
		text, err := charset.Decode(data, declared, "")
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(text.UTF8) || !charset.Known(text.Encoding) {
			t.Fatalf("%q becomes %q in %q", data, text.UTF8, text.Encoding)
		}
		for at := 0; at <= len(text.UTF8); at += 1 + len(text.UTF8)/7 {
			if off := text.Offset(data, at); off < 0 || off > len(data) {
				t.Fatalf("%d of %q is at %d", at, text.UTF8, off)
			}
		}
		checkReader(t, data, text.Encoding)
		if charset.Known(declared) {
			checkReader(t, data, declared)
		}
		c := charset.Lookup(text.Encoding)
		for i := 0; i < len(data); {
			n := c.Width(data[i:])
			if n < 1 || i+n > len(data) {
				t.Fatalf("a width of %d at %d of %q", n, i, data)
			}
			i += n
		}
	})
}
