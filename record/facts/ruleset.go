package facts

import "strings"

// ParseRuleset reads the name of a rule set of Go: "Japanese", "chinese",
// "AGA", "日本". It returns the word that the rules of Go know ("japanese",
// "chinese", "aga", "new-zealand", "tromp-taylor"), and "" for everything
// else: Ing and Korean rules are known by name, but not played here, and the
// old Chinese rules are others than today's.
func ParseRuleset(text string) string {
	s := fold(text)
	for _, w := range []string{"rules", "rule", "ルール", "规则", "規則", "規約", "式", "룰", "규칙"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, w))
	}
	return rulesets[s]
}

var rulesets = map[string]string{
	"japanese": "japanese", "japan": "japanese", "jp": "japanese", "jpn": "japanese", "jap": "japanese", "ja": "japanese", "日本": "japanese", "日": "japanese", "일본": "japanese", "일본식": "japanese",
	"chinese": "chinese", "china": "chinese", "cn": "chinese", "chn": "chinese", "zh": "chinese", "中国": "chinese", "中國": "chinese", "中": "chinese", "중국": "chinese", "중국식": "chinese", "computer": "chinese",
	"aga": "aga", "american": "aga", "usa": "aga", "us": "aga",
	"nz": "new-zealand", "new zealand": "new-zealand", "new-zealand": "new-zealand", "newzealand": "new-zealand", "new_zealand": "new-zealand",
	"tromp-taylor": "tromp-taylor", "tromp/taylor": "tromp-taylor", "tromp taylor": "tromp-taylor", "tromp_taylor": "tromp-taylor", "tromptaylor": "tromp-taylor", "tt": "tromp-taylor", "logical": "tromp-taylor",
}

// maxHandicap is above what is played on any board, and bounds typing errors.
const maxHandicap = 99

// ParseHandicap reads a number of handicap stones: "2", "3子", "4점",
// "9 stones"; 0 for none, and for what is no number of stones.
func ParseHandicap(text string) int {
	s := fold(text)
	n, length := number(s)
	if length == 0 || n > maxHandicap {
		return 0
	}
	switch strings.TrimSpace(s[length:]) {
	case "", "子", "子局", "점", "점국", "stones", "stone", "st":
		return n
	}
	return 0
}
