package text

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A reading is a key of how a name sounds: lower-case Latin letters and digits
// in tokens. A token is a Latin word, the syllable of a Han or Hangul character,
// or a beat of kana; names are turned round between tokens.
type reading struct {
	key  []byte
	cuts []int // where tokens begin in key

	// surnames replaces Latin words and first Hangul syllables that are
	// spellings of one Korean surname by one of them.
	surnames bool
}

// Reading returns a key of how a text sounds, in Latin letters without blanks:
// kana by Hepburn, Hangul by the Revised Romanization, Han characters in
// Mandarin without tones, Cyrillic letter by letter. Keys are loose: long vowels
// are short (yuuta = yūta = yuta, ou = o), doubled letters single, and common
// spellings of Korean names fall together (이 = Lee = Yi, 영 = yeong = young).
// Keys are to be compared, not to be shown.
func Reading(s string) string {
	return string(read(s, true).key)
}

// Sound is how a name is read, worked out once for many queries.
type Sound struct{ plain, loose *reading }

// SoundOf returns how a name is read.
func SoundOf(name string) Sound { return Sound{read(name, false), read(name, true)} }

// SoundMatcher returns a function that reports whether a name may be what a query
// sounds like: the key of the query is that of the name or of some of its parts on
// end, whichever part comes first. "Ke Jie", "Jie Ke" and "ke" match 柯潔; "Yuta" and
// "いやま" match Iyama Yuta. A query of one letter matches nothing. Several goroutines
// may use it at once.
func SoundMatcher(query string) func(*Sound) bool {
	plain, loose := read(query, false).key, read(query, true).key
	return func(s *Sound) bool {
		return len(plain) > 1 && s.plain.has(plain) || len(loose) > 1 && s.loose.has(loose)
	}
}

// has reports whether key stands in a reading from one cut to another, going on
// at the start when the end is reached.
func (r *reading) has(key []byte) bool {
	size := len(r.key)
	if len(key) > size {
		return false
	}
	// Most names have not even its first two letters side by side.
	if len(key) > 1 && size > 1 && !bytes.Contains(r.key, key[:2]) && (r.key[size-1] != key[0] || r.key[0] != key[1]) {
		return false
	}
	for _, from := range r.cuts {
		to := from + len(key)
		if to > size {
			to -= size
		}
		if to != size && !slices.Contains(r.cuts, to) {
			continue
		}
		n := min(len(key), size-from)
		if string(r.key[from:from+n]) == string(key[:n]) && string(r.key[:len(key)-n]) == string(key[n:]) {
			return true
		}
	}
	return false
}

// read makes the reading of a text.
func read(s string, surnames bool) *reading {
	r := &reading{surnames: surnames}
	han := hanOf(s)
	folded := Fold(s)
	start := true // at the first character of a run of Hangul or Han
	for i := 0; i < len(folded); {
		c, n := utf8.DecodeRuneInString(folded[i:])
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || cyrillic(c) != "":
			word := ""
			word, n = latinWord(folded[i:])
			r.token(r.latin(word))
			start = true
			i += n
			continue
		case c >= firstS && c < firstS+countS:
			r.hangul(c, start)
		case c >= 0x3041 && c <= 0x30FE:
			n = r.kana(folded[i:])
		case len(han) > 0 && isHan(c):
			r.token(loosen(pinyin(han[0], start)))
			han = han[1:]
		}
		start = c < 0x80
		i += n
	}
	return r
}

// hanOf returns the Han characters of a text as written, in the order and
// number in which its folded form has them.
func hanOf(s string) []rune {
	var list []rune
	near := false // the last character of the folded form is Han
	for _, c := range s {
		if c < utf8.RuneSelf {
			near = near && (ascii[c] == 0 || ascii[c] == ' ')
			continue
		}
		switch to := loadTable().fold(c); {
		case to == toBlank, to == toNothing, to == 0x3099, to == 0x309A:
		case to <= expanded:
			for _, e := range loadTable().expansions[expanded-to] {
				if isHan(e) {
					list = append(list, e)
				}
				near = isHan(e) || near && e == toBlank
			}
		case isHan(to):
			list, near = append(list, c), true
		case to == '々' && near:
			list = append(list, list[len(list)-1])
		default:
			near = false
		}
	}
	return list
}

// surnameReadings are the characters that are read otherwise at the head of a
// Chinese name.
var surnameReadings = map[rune]string{
	'单': "shan", '單': "shan", '曾': "zeng", '仇': "qiu", '解': "xie", '查': "zha", '任': "ren", '翟': "zhai", '盖': "ge", '蓋': "ge", '区': "ou", '區': "ou", '朴': "piao", '尉': "yu", '缪': "miao", '繆': "miao", '万': "wan",
}

// pinyin returns how a Han character is read.
func pinyin(c rune, first bool) string {
	if s, ok := surnameReadings[c]; ok && first {
		return s
	}
	table := loadPinyin()
	if s, ok := table[c]; ok {
		return s
	}
	return table[loadTable().fold(c)]
}

func (r *reading) token(s string) {
	if s != "" {
		r.cuts = append(r.cuts, len(r.key))
		r.key = append(r.key, s...)
	}
}

// latinWord cuts a word of Latin and Cyrillic letters and digits off a folded
// text and returns it in Latin letters, and how many bytes it took.
func latinWord(s string) (string, int) {
	for i, c := range s {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			continue
		}
		if cyrillic(c) == "" {
			return romanised(s[:i]), i
		}
	}
	return romanised(s), len(s)
}

func romanised(word string) string {
	if isFolded(word) {
		return word
	}
	var b strings.Builder
	for _, c := range word {
		if c < utf8.RuneSelf {
			b.WriteRune(c)
		} else {
			b.WriteString(strings.TrimSpace(cyrillic(c)))
		}
	}
	return b.String()
}

// cyrillicLetters are the Latin letters of а to я; hard and soft signs are
// blanks.
var cyrillicLetters = strings.Split("a,b,v,g,d,e,zh,z,i,i,k,l,m,n,o,p,r,s,t,u,f,kh,ts,ch,sh,shch, ,y, ,e,yu,ya", ",")

func cyrillic(c rune) string {
	switch {
	case c >= 'а' && c <= 'я':
		return cyrillicLetters[c-'а']
	case c == 'і' || c == 'ї':
		return "i"
	}
	return ""
}

// spellings are those of Korean surnames, each line one surname. The first
// stands for all.
var spellings = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(`li lee yi i ri rhee yee
pak park bak bag
kim gim
choe choi chwe
jung jeong chung chong cheong
cho jo joh
kang gang
shin sin
yu yoo ryu you ryoo
yun yoon
im lim rim yim
no noh roh ro
kwon gwon
ko go koh goh
baek paek paik baik
seo suh so
heo hur huh
mun moon
u woo wu
o oh
an ahn
na ra rha
kuk guk kook
jang chang
ju joo chu choo
byun byeon pyon pyun
`) {
		words := strings.Fields(line)
		for _, w := range words {
			if _, ok := m[loosen(w)]; !ok {
				m[loosen(w)] = loosen(words[0])
			}
		}
	}
	return m
})

// latin returns the key of a Latin word.
func (r *reading) latin(word string) string {
	key := loosen(word)
	if s, ok := spellings()[key]; ok && r.surnames {
		return s
	}
	return key
}

// loosen makes spellings of one sound alike.
func loosen(w string) string {
	if len(w) < 2 {
		return w
	}
	var out []byte
	for i := 0; i < len(w); {
		rest := w[i:]
		switch {
		case strings.HasPrefix(rest, "young"):
			out = append(out, "yung"...)
			i += 5
			continue
		case strings.HasPrefix(rest, "tch"):
			i++
			continue
		case strings.HasPrefix(rest, "eo"), strings.HasPrefix(rest, "eu"):
			out = put(out, 'u')
			i += 2
			continue
		case strings.HasPrefix(rest, "ee"):
			out = put(out, 'i')
			i += 2
			continue
		case strings.HasPrefix(rest, "oo") && i > 0:
			out = put(out, 'u')
			i += 2
			continue
		case strings.HasPrefix(rest, "ou"):
			out = put(out, 'o')
			i += 2
			continue
		case rest[0] == 'h' && i > 0 && (w[i-1] == 'o' || w[i-1] == 'u') && (len(rest) == 1 || !strings.ContainsRune("aeiouy", rune(rest[1]))):
			i++ // Ohtake, Suh
			continue
		case rest[0] == 'm' && len(rest) > 1 && (rest[1] == 'b' || rest[1] == 'p'):
			out = put(out, 'n')
		default:
			out = put(out, rest[0])
		}
		i++
	}
	return string(out)
}

// put appends a letter unless it is there already. Digits are not joined.
func put(out []byte, c byte) []byte {
	if n := len(out); n > 0 && out[n-1] == c && c > '9' {
		return out
	}
	return append(out, c)
}
