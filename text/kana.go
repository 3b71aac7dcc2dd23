package text

import (
	"strings"
	"unicode/utf8"
)

// The letters of Hangul syllables: first, middle, last. Middle letters are
// spelled as loosen leaves them.
var (
	hangulFirst  = strings.Split("g,kk,n,d,tt,r,m,b,pp,s,ss,,j,jj,ch,k,t,p,h", ",")
	hangulMiddle = strings.Split("a,ae,ya,yae,u,e,yu,ye,o,wa,wae,oe,yo,wu,wo,we,wi,yu,u,i,i", ",")
	hangulLast   = strings.Split(",k,k,k,n,n,n,t,l,k,m,l,l,l,p,l,m,p,p,t,t,ng,t,t,k,t,p,t", ",")
)

// hangul adds the syllable of one character; the first of a name may be a
// surname.
func (r *reading) hangul(c rune, first bool) {
	i := int(c - firstS)
	head, middle, last := hangulFirst[i/(countV*countT)], hangulMiddle[i/countT%countV], hangulLast[i%countT]
	if middle == "wu" && head != "" {
		middle = "u"
	}
	s := loosen(head + middle + last)
	if first && r.surnames {
		if to, ok := spellings()[s]; ok {
			s = to
		}
	}
	r.token(s)
}

// kanaRows are the syllables of hiragana in the order of Unicode, from ぁ.
var kanaRows = strings.Fields(`a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi ji
- tsu zu te de to do na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po ma mi mu me mo ya ya yu yu yo yo
ra ri ru re ro wa wa i e o n vu ka ke`)

// kana adds one beat of kana at the head of a folded text, small kana behind it
// included, and returns how many bytes it took. A beat that only makes the one
// before it longer adds nothing.
func (r *reading) kana(s string) int {
	c, n := utf8.DecodeRuneInString(s)
	if c < 'ぁ' || int(c-'ぁ') >= len(kanaRows) || c == 'っ' {
		return n
	}
	beat := kanaRows[c-'ぁ']
	if small, m := utf8.DecodeRuneInString(s[n:]); strings.ContainsRune("ゃゅょぁぃぅぇぉゎ", small) {
		beat = contract(beat, kanaRows[small-'ぁ'])
		n += m
	}
	if len(beat) == 1 && len(r.key) > 0 && beat != "n" {
		last := &r.key[len(r.key)-1]
		switch {
		case *last == 'e' && (beat == "o" || beat == "u"): // as loosen does it
			*last = 'u'
			return n
		case *last == 'e' && beat == "e":
			*last = 'i'
			return n
		case *last == beat[0] || *last == 'o' && beat == "u":
			return n
		}
	}
	r.token(beat)
	return n
}

// contract joins a syllable with a small one: ki ya = kya, shi ya = sha,
// fu a = fa, te i = ti.
func contract(beat, small string) string {
	stem := beat[:len(beat)-1]
	if stem == "" { // う and a small vowel: w
		if beat == "u" && small[0] != 'y' {
			return "w" + small
		}
		return small
	}
	if small[0] == 'y' && (strings.HasSuffix(stem, "h") && len(stem) > 1 || stem == "j") {
		return stem + small[1:]
	}
	return stem + small
}
