package charset

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"testing"
)

func TestEvalD(t *testing.T) {
	var c map[string]map[string]json.RawMessage
	b, _ := os.ReadFile("/tmp/facts-work/cs/corp.json")
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	encs := map[string][]string{"hant": {"big5", "utf-8"}, "hans": {"gb18030", "utf-8"}, "ja": {"shift_jis", "euc-jp", "iso-2022-jp", "utf-8"}, "ko": {"euc-kr", "utf-8"}, "ru": {"windows-1251", "koi8-r", "utf-8"}, "de": {"windows-1252", "macintosh", "utf-8"}, "fr": {"windows-1252", "macintosh", "utf-8"}, "es": {"windows-1252"}, "sv": {"windows-1252"}, "pl": {"windows-1250"}, "cs": {"windows-1250"}}
	type st struct{ n, ok int }
	res := map[string]*[4]st{}
	wrong := map[string]map[string]int{}
	show := 0
	run := func(lang, kind, text string) {
		for _, e := range encs[lang] {
			raw, err := Encode(text, e)
			if err != nil {
				continue
			}
			n := 0
			for _, x := range raw {
				if x >= 0x80 {
					n++
				}
			}
			if e == "iso-2022-jp" {
				n = len(raw)
			}
			if n == 0 {
				continue
			}
			bk := 3
			if n < 8 {
				bk = 0
			} else if n < 16 {
				bk = 1
			} else if n < 30 {
				bk = 2
			}
			key := lang + "\t" + kind + "\t" + e
			if res[key] == nil {
				res[key] = &[4]st{}
				wrong[key] = map[string]int{}
			}
			d := Detect(raw)
			res[key][bk].n++
			// for same text result counts too
			if d == e {
				res[key][bk].ok++
			} else if x, _ := Decode(raw, "", d); string(x.UTF8) == text {
				res[key][bk].ok++
			} else {
				wrong[key][d]++
				if bk >= 2 && show < 40 && os.Getenv("SHOW") != "" {
					show++
					fmt.Printf("WRONG %s as %s: %.80q\n", key, d, text)
				}
			}
		}
	}
	for lang, m := range c {
		for kind, r := range m {
			if kind == "names" {
				var ps [][2]string
				json.Unmarshal(r, &ps)
				for _, p := range ps {
					run(lang, "two names", fmt.Sprintf("(;GM[1]FF[3]SZ[19]PB[%s]PW[%s]DT[2001-02-03]KM[6.5]RE[B+R];B[pd];W[dp])", p[0], p[1]))
				}
			} else {
				var ss []string
				json.Unmarshal(r, &ss)
				for _, s := range ss {
					run(lang, kind, s)
				}
			}
		}
	}
	var keys []string
	for k := range res {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	tot := [4]st{}
	fmt.Println("lang\tkind\tencoding\t4-7\t8-15\t16-29\t30+\twrong")
	for _, k := range keys {
		fmt.Print(k)
		for i, s := range res[k] {
			tot[i].n += s.n
			tot[i].ok += s.ok
			if s.n == 0 {
				fmt.Print("\t-")
				continue
			}
			fmt.Printf("\t%.2f%% (%d)", 100*float64(s.ok)/float64(s.n), s.n)
		}
		fmt.Println("\t", wrong[k])
	}
	fmt.Print("all\t\t")
	for _, s := range tot {
		fmt.Printf("\t%.2f%% (%d)", 100*float64(s.ok)/float64(s.n), s.n)
	}
	fmt.Println()
}
