package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/unicode/norm"
)

// variants are forms that the dictionaries do not join: those in Japanese and
// Korean names, printers' forms, the two words for Go, and the red pieces of
// Xiangqi that are written with another character.
const variants = `
髙高 嶋嶌島岛 冨富 舘館馆 濵濱浜滨 邉邊辺边 栁柳 桒桑 𠮷吉 昻昂 彥彦 淸清 靑青 黃黄 衞衛卫 吳呉吴
戶户戸 內内 說説说 祿禄 錄録录 顏顔颜 鄕郷鄉乡 峯峰 羣群 裏裡里 綫線线 爲為为 眞真 愼慎 靜静 曆暦历
歷歴历 德徳 增増 橫横 緖緒绪 寬寛宽 巢巣 每毎 步歩 海海 渚渚 煕熙 瀧滝泷 瀨瀬濑 齋斎斋 齊斉齐 龜亀龟
碁棋棊 俥車车 傌馬马 砲炮 乭石 栢柏 尙尚 姸妍 敎教 産產产 卽即 旣既 郞郎 淵渕渊 廣広广 條条 應応应 舖鋪铺
驛駅驿 薗園园 籐藤 嵜崎 凉涼 稻稲 檜桧 壽寿 彌弥 禮礼 檢検检 劍剣剑 險険险 験驗验 氣気气 賴頼赖
`

// classes is a partition of Han characters.
type classes struct {
	parent map[rune]rune
	simple map[rune]bool // the simplified forms, which stand for their class
}

func (c *classes) find(r rune) rune {
	for {
		p, ok := c.parent[r]
		if !ok || p == r {
			return r
		}
		r = p
	}
}

// rank is how well a character stands for its class: a simplified form that is
// in daily use best.
func (c *classes) rank(r rune) int {
	rank := 0
	if _, err := simplifiedchinese.HZGB2312.NewEncoder().String(string(r)); err != nil {
		rank += 2
	}
	if !c.simple[r] {
		rank++
	}
	return rank
}

// join makes one class of two. The better form stands for it, of equals the
// lower code point, so that the outcome does not depend on the order of joins.
func (c *classes) join(a, b rune) {
	a, b = c.find(a), c.find(b)
	if a == b {
		return
	}
	if x, y := c.rank(a), c.rank(b); y < x || x == y && b < a {
		a, b = b, a
	}
	c.parent[b] = a
}

// readClasses joins each traditional character with its first simplified form,
// each shinjitai with its first old form, and the standard forms of Taiwan and
// Hong Kong. Second forms are not followed: they would join characters that
// nobody takes for one another.
func readClasses(dir string) (*classes, error) {
	c := &classes{parent: map[rune]rune{}, simple: map[rune]bool{}}
	var pairs [][2]rune
	for _, name := range []string{"TSCharacters", "STCharacters", "JPShinjitaiCharacters", "TWVariants", "HKVariants"} {
		err := lines(filepath.Join(dir, name+".txt"), func(key string, values []string) error {
			a, n := utf8.DecodeRuneInString(key)
			b, m := utf8.DecodeRuneInString(values[0])
			if n != len(key) || m != len(values[0]) {
				return fmt.Errorf("%s is not one character", key)
			}
			if name == "TSCharacters" && a != b {
				c.simple[b] = true
			}
			if a != b && !apart(a, b) {
				pairs = append(pairs, [2]rune{a, b})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, p := range pairs {
		c.join(p[0], p[1])
	}
	for _, class := range strings.Fields(norm.NFC.String(variants)) {
		first, _ := utf8.DecodeRuneInString(class)
		for _, r := range class {
			c.join(first, r)
		}
	}
	return c, nil
}

// apart reports joins of the dictionaries that would do harm: Japanese 弁 stands
// for three old characters, and 欠 and 缺 are two words of Chinese.
func apart(a, b rune) bool {
	return a == '弁' || a == '欠' && b == '缺'
}

// members returns the classes of more than one character, each sorted with the
// one that stands for it first.
func (c *classes) members() [][]rune {
	of := map[rune][]rune{}
	for r := range c.parent {
		if f := c.find(r); f != r {
			of[f] = append(of[f], r)
		}
	}
	var list [][]rune
	for f, m := range of {
		slices.Sort(m)
		list = append(list, append([]rune{f}, m...))
	}
	slices.SortFunc(list, func(a, b []rune) int { return int(a[0]) - int(b[0]) })
	return list
}

// readPinyin returns the table of readings: lines of a reading, a tab and the
// characters that are read so.
func readPinyin(path string, han *classes) ([]byte, error) {
	readings := map[rune]string{}
	err := lines(path, func(key string, values []string) error {
		var r rune
		if _, err := fmt.Sscanf(key, "U+%X:", &r); err != nil {
			return err
		}
		first, _, _ := strings.Cut(values[0], ",")
		if r >= 0x4E00 && r <= 0x9FFF && common(r) {
			readings[r] = strip(first)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	by := map[string][]rune{}
	for r, s := range readings {
		if f := han.find(r); f == r || readings[f] != s {
			by[s] = append(by[s], r)
		}
	}
	keys := make([]string, 0, len(by))
	for s := range by {
		keys = append(keys, s)
	}
	slices.Sort(keys)
	var out bytes.Buffer
	for _, s := range keys {
		slices.Sort(by[s])
		fmt.Fprintf(&out, "%s\t%s\n", s, string(by[s]))
	}
	return out.Bytes(), nil
}

// strip removes tones: ü is u, ê is e.
func strip(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if r >= 'a' && r <= 'z' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// common reports whether a character is in one of the national sets.
func common(r rune) bool {
	s := string(r)
	for _, e := range []encoding.Encoding{simplifiedchinese.HZGB2312, traditionalchinese.Big5, japanese.ISO2022JP, korean.EUCKR} {
		if _, err := e.NewEncoder().String(s); err == nil {
			return true
		}
	}
	return false
}
