package weiqi_test

import (
	"strings"
	"testing"

	"qipu/game/weiqi"
)

// TestHowto: the rules in short tell what is counted by the rules at hand, in every
// language.
func TestHowto(t *testing.T) {
	for variant, want := range map[string]string{"": "territory", "9x9": "territory", "chinese": "area", "9x9,aga": "area", "new-zealand": "area"} {
		r, err := weiqi.Standard.Variant(variant)
		if err != nil {
			t.Fatal(err)
		}
		text := r.Info().Howto
		if !strings.Contains(text.En, want) {
			t.Errorf("%q is explained by %q", variant, text.En)
		}
		for lang, words := range map[string][2]string{"zh-Hant": {"提子合計", "活子"}, "zh-Hans": {"提子合计", "活子"}, "ja": {"アゲハマ", "生きた石"}, "ko": {"따낸 돌", "살아 있는 돌"}} {
			word := words[0]
			if want == "area" {
				word = words[1]
			}
			if !strings.Contains(text.In(lang), word) {
				t.Errorf("%q is explained in %s by %q", variant, lang, text.In(lang))
			}
		}
	}
}
