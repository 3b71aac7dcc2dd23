package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReading(t *testing.T) {
	for _, same := range []string{
		"柯潔|柯洁|Ke Jie|KE, Jie|ke-jie",
		"胡榮華|胡荣华|Hu Ronghua",
		"聶衛平|Nie Weiping",
		"呂欽|Lü Qin|Lu Qin",
		"周睿羊|Zhou Ruiyang",
		"曾|Zeng",
		"单霞丽|單霞麗|Shan Xiali",
		"いやま ゆうた|イヤマ・ユウタ|Iyama Yuta|Iyama Yuuta|Iyama Yūta",
		"おおたけひでお|Otake Hideo|Ohtake Hideo|Ootake Hideo",
		"ほんいんぼう|Honinbo|Honinbou|Hon'inbō",
		"いのうえ|Inoue",
		"しゅうさく|シュウサク|Shusaku|Shuusaku",
		"きょう|kyo|kyou",
		"ちょうちくん|Cho Chikun|Chou Chikun",
		"はっとり|Hattori|Hatori",
		"かんばやし|Kambayashi|Kanbayashi",
		"ジョン|jon",
		"ファン|fan",
		"이세돌|Lee Sedol|Yi Se-dol|I Sedol",
		"박정환|Park Junghwan|Park Jeong-hwan",
		"박영훈|Park Younghun|Pak Yeong-hun|Park Yeonghun",
		"조훈현|Cho Hunhyun|Cho Hoon-hyun|Jo Hunhyeon",
		"신진서|Shin Jinseo|Sin Jin-seo",
		"이창호|Lee Changho|Yi Ch'ang-ho",
		"최철한|Choi Cheolhan|Choi Chulhan",
		"Сергей Артемьев|Sergei Artemev",
		"佐々木|佐佐木",
	} {
		list := strings.Split(same, "|")
		want := Reading(list[0])
		if want == "" {
			t.Errorf("Reading(%q) is empty", list[0])
		}
		for _, s := range list[1:] {
			if got := Reading(s); got != want {
				t.Errorf("Reading(%q) = %q, but Reading(%q) = %q", s, got, list[0], want)
			}
		}
	}
}

func TestReadingMatch(t *testing.T) {
	for _, c := range []struct {
		query, name string
		want        bool
	}{
		{"Ke Jie", "柯潔", true}, {"Jie Ke", "柯潔", true}, {"ke", "柯潔", true}, {"jie", "柯洁", true},
		{"柯潔", "Ke Jie", true}, {"柯潔", "Jie Ke", true}, {"Ke", "Kelin", false}, {"Ke Jian", "柯潔", false},
		{"hu ronghua", "胡榮華", true}, {"Ronghua Hu", "胡榮華", true}, {"榮華", "Hu Ronghua", true},
		{"いやま", "Iyama Yuta", true}, {"yuuta iyama", "いやまゆうた", true}, {"Iyama", "いやま　ゆうた", true},
		{"Wang Yifan", "王一帆", true}, {"Yi Fan", "易凡", true}, {"Lee Sedol", "이세돌", true}, {"Sedol Yi", "이세돌", true},
		{"세돌", "Lee Sedol", true}, {"k", "柯潔", false}, {"", "柯潔", false}, {"柯潔", "", false}, {"Ke Jie Ke", "柯潔", false},
	} {
		if got := ReadingMatch(c.query, c.name); got != c.want {
			t.Errorf("ReadingMatch(%q, %q) = %v", c.query, c.name, got)
		}
	}
}

// FuzzReading: keys are Latin letters and digits, do not depend on case or
// blanks around, and a name of more than one letter matches itself.
func FuzzReading(f *testing.F) {
	for _, s := range []string{"柯潔", "이세돌 9단", "ｲﾔﾏ・ゆうた", "Сергей 李々", "㈱々々", "うぃっゎー", "a\xff㋀", "Oohh youngoo", "李 々😀々か々", "a々李\u3099々"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key := Reading(s)
		han := 0
		for _, c := range Fold(s) {
			if isHan(c) {
				han++
			}
		}
		if list := hanOf(s); len(list) != han {
			t.Fatalf("%q has %d Han characters, %d when folded", s, len(list), han)
		}
		for _, c := range key {
			if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
				t.Fatalf("Reading(%q) = %q", s, key)
			}
		}
		if utf8.ValidString(s) && Reading("  "+s+" ") != key {
			t.Fatalf("blanks change the reading of %q", s)
		}
		if len(key) > 1 && !ReadingMatch(s, s) {
			t.Fatalf("%q does not match itself", s)
		}
	})
}

func BenchmarkReadingMatch(b *testing.B) {
	for b.Loop() {
		ReadingMatch("Ronghua Hu", "胡榮華")
	}
}
