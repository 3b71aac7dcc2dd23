package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	for _, same := range []string{
		"lee sedol|Lee Sedol|Lee, Sedol|LEE  SEDOL|Lee Se-dol |ＬＥＥ　ＳＥＤＯＬ|lee\tsedol\n",
		"muller|Müller|MÜLLER|Mu\u0308ller|müller",
		"honinbo|Honinbō|Honinbô|HONINBO",
		"strasse|Straße|STRASSE",
		"ole soren|Øle Søren",
		"omeara|O'Meara|O’Meara|O`Meara",
		"棋谱|棋譜|棊譜",
		"龙|龍|竜|龍",
		"马|馬|傌",
		"聂卫平|聶衛平|聶衞平|聂 卫平|聶　衛平",
		"台|臺",
		"围棋|圍棋|囲碁",
		"泽|澤|沢",
		"渡边|渡邊|渡邉|渡辺",
		"高|髙",
		"岛|島|嶋",
		"胡荣华|胡榮華|胡栄華",
		"吕钦|呂欽",
		"许银川|許銀川",
		"佐佐木|佐々木",
		"いやまゆうた|イヤマユウタ|イヤマ・ユウタ|ｲﾔﾏ ﾕｳﾀ|いやま　ゆうた",
		"がぎぱぽゔ|ガギパポヴ|ｶﾞｷﾞﾊﾟﾎﾟｳﾞ|か\u3099き\u3099は\u309Aほ\u309Aう\u3099",
		"이세돌|이 세돌|\u110B\u1175\u1109\u1166\u1103\u1169\u11AF",
		"3 5|3.5|３．５",
		"a b|a — b|a…b|a / b",
		"株|㈱",
		"12|①②",
		"|   |...|。、",
		"b+r|B+R|Ｂ＋Ｒ",
		"ф|Ф",
		"ёлка|елка|Ёлка",
	} {
		list := strings.Split(same, "|")
		want := Fold(list[0])
		for _, s := range list[1:] {
			if got := Fold(s); got != want {
				t.Errorf("Fold(%q) = %q, but Fold(%q) = %q", s, got, list[0], want)
			}
		}
	}
	for _, apart := range [][2]string{{"か", "が"}, {"は", "ぱ"}, {"王", "玉"}, {"李", "季"}, {"辨", "辯"}, {"埼", "崎"}, {"欠", "缺"}, {"o", "0"}, {"이", "리"}, {"कि", "क"}} {
		if Fold(apart[0]) == Fold(apart[1]) {
			t.Errorf("%q and %q are folded alike", apart[0], apart[1])
		}
	}
}

// TestFoldEvery folds every character: the outcome stays itself, and for ASCII
// the code and the table say the same.
func TestFoldEvery(t *testing.T) {
	changed := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		s := string(r)
		f := Fold(s)
		if f != s {
			changed++
		}
		if g := Fold(f); g != f {
			t.Fatalf("Fold(%U) = %q, folded again %q", r, f, g)
		}
	}
	if changed < 14000 {
		t.Errorf("only %d characters are folded: the table was not read", changed)
	}
	for c := rune(0); c < utf8.RuneSelf; c++ {
		s, want := string(c), ""
		switch to := loadTable().fold(c); {
		case to > 0:
			want = string(to)
		case to <= expanded:
			t.Errorf("%q is expanded", s)
		}
		if got := Fold(s); got != want {
			t.Errorf("Fold(%q) = %q, the table says %q", s, got, want)
		}
	}
}

func TestAppendFold(t *testing.T) {
	for _, s := range []string{"  Lee,  Sedol ", "が", "\u3099", "々", " 李 世石", "\u11AF"} {
		for _, before := range []string{"", "x", "か", "李", "세", " "} {
			if got := string(AppendFold([]byte(before), s)); got != before+Fold(s) {
				t.Errorf("AppendFold(%q, %q) = %q", before, s, got)
			}
		}
	}
	buf := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { buf = AppendFold(buf[:0], "  Lee, Sedol — no: ") }); n > 0 {
		t.Errorf("AppendFold allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { _ = Fold("lee sedol") }); n > 0 {
		t.Errorf("Fold of a folded text allocates %v times", n)
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Lee, Sedol", "ｶﾞ々 か゛\u3099", "\u1100\u1161 \u11A8", "a\xff李 \xe4", "a \u3099b", "か \u3099", "ẞİŉ㈱½", "李々 々"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if !utf8.ValidString(once) {
			t.Fatalf("Fold(%q) = %q is not UTF-8", s, once)
		}
		if again := Fold(once); again != once {
			t.Fatalf("Fold(%q) = %q, folded again %q", s, once, again)
		}
		if strings.Contains(once, "  ") || strings.TrimSpace(once) != once {
			t.Fatalf("Fold(%q) = %q has blanks to spare", s, once)
		}
		if got := string(AppendFold([]byte("か"), s)); got != "か"+once {
			t.Fatalf("AppendFold depends on what stands before: %q", got)
		}
	})
}

func BenchmarkFold(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii", strings.Repeat("Black resigns after White's Move 120; Lee Sedol, 9p. ", 20)},
		{"han", strings.Repeat("聶衛平執黑先行，佈局階段雙方各有所得。", 20)},
		{"kana", strings.Repeat("井山裕太は、アメリカで本因坊を防衛した。", 20)},
		{"hangul", strings.Repeat("이세돌 9단이 백으로 불계승했다. ", 20)},
	} {
		b.Run(c.name, func(b *testing.B) {
			buf := AppendFold(nil, c.text)
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				buf = AppendFold(buf[:0], c.text)
			}
		})
	}
}
