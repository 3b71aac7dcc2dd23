package kb

import (
	"fmt"
	"math/bits"
	"strings"

	"qipu/board"
)

// Purpose is a set of what a shape is good for. The first six are the pairs of
// the paper in its order, as the sums that it prints demand; the bits are part
// of its field form.
type Purpose uint16

// The purposes.
const (
	Connect Purpose = 1 << iota
	Cut
	Seal     // the enemy in
	BreakOut // of a seal
	Expand
	Press
	MakeEye // or a base
	TakeEye // or a base
	Capture
	Rescue
	Endgame
	Invade
	Avoid // the good points are bad ones: never play there

	numPurposes = iota
)

var purposes = [numPurposes]struct {
	word  string
	names board.Names
}{
	{"connect", board.Names{En: "connect", Hant: "連接", Hans: "连接", Ja: "連絡", Ko: "연결"}},
	{"cut", board.Names{En: "cut", Hant: "分斷", Hans: "分断", Ja: "切断", Ko: "절단"}},
	{"seal", board.Names{En: "seal in", Hant: "封鎖", Hans: "封锁", Ja: "封鎖", Ko: "봉쇄"}},
	{"break-out", board.Names{En: "break out", Hant: "突圍", Hans: "突围", Ja: "脱出", Ko: "탈출"}},
	{"expand", board.Names{En: "expand", Hant: "擴張", Hans: "扩张", Ja: "拡張", Ko: "확장"}},
	{"press", board.Names{En: "press", Hant: "壓迫", Hans: "压迫", Ja: "圧迫", Ko: "압박"}},
	{"make-eye", board.Names{En: "make eye or base", Hant: "做眼", Hans: "做眼", Ja: "眼形", Ko: "안형"}},
	{"take-eye", board.Names{En: "take eye or base", Hant: "破眼", Hans: "破眼", Ja: "眼取り", Ko: "파호"}},
	{"capture", board.Names{En: "capture", Hant: "吃子", Hans: "吃子", Ja: "取り", Ko: "따냄"}},
	{"rescue", board.Names{En: "rescue", Hant: "救援", Hans: "救援", Ja: "救出", Ko: "구출"}},
	{"endgame", board.Names{En: "endgame", Hant: "官子", Hans: "官子", Ja: "ヨセ", Ko: "끝내기"}},
	{"invade", board.Names{En: "invade", Hant: "侵入", Hans: "侵入", Ja: "侵入", Ko: "침입"}},
	{"avoid", board.Names{En: "avoid", Hant: "避免", Hans: "避免", Ja: "避ける", Ko: "회피"}},
}

// Purposes returns the single purposes, lowest bit first.
func Purposes() []Purpose {
	list := make([]Purpose, numPurposes)
	for i := range list {
		list[i] = 1 << i
	}
	return list
}

// ParsePurpose reads words as in "connect cut", or none.
func ParsePurpose(text string) (set Purpose, err error) {
words:
	for _, word := range strings.Fields(text) {
		for i := range purposes {
			if strings.EqualFold(word, purposes[i].word) {
				set |= 1 << i
				continue words
			}
		}
		return 0, fmt.Errorf("kb: %q is no purpose: write some of %v", word, Purpose(1<<numPurposes-1))
	}
	return set, nil
}

// Each returns the purposes of the set, lowest bit first.
func (p Purpose) Each() []Purpose {
	list := make([]Purpose, 0, 4)
	for p &= 1<<numPurposes - 1; p != 0; p &= p - 1 {
		list = append(list, p&-p)
	}
	return list
}

// Names returns the name of a single purpose.
func (p Purpose) Names() board.Names {
	if i := bits.TrailingZeros16(uint16(p)); i < numPurposes {
		return purposes[i].names
	}
	return board.Names{}
}

// String returns the words of the set, as ParsePurpose reads them.
func (p Purpose) String() string {
	var words []string
	for i := range purposes {
		if p>>i&1 != 0 {
			words = append(words, purposes[i].word)
		}
	}
	return strings.Join(words, " ")
}

// Urgency is how much a shape asks for a move.
type Urgency uint8

// The urgencies of the paper.
const (
	Special Urgency = 1 + iota // in special cases only
	Ordinary
	Important
	Urgent
)

var urgencies = [...]board.Names{
	Special:   {En: "special", Hant: "特殊", Hans: "特殊", Ja: "特殊", Ko: "특수"},
	Ordinary:  {En: "ordinary", Hant: "一般", Hans: "一般", Ja: "普通", Ko: "보통"},
	Important: {En: "important", Hant: "重要", Hans: "重要", Ja: "重要", Ko: "중요"},
	Urgent:    {En: "urgent", Hant: "緊急", Hans: "紧急", Ja: "急場", Ko: "급함"},
}

// Names returns the name of the urgency.
func (u Urgency) Names() board.Names {
	if u >= Special && u <= Urgent {
		return urgencies[u]
	}
	return board.Names{}
}

// String returns the English name.
func (u Urgency) String() string { return u.Names().En }
