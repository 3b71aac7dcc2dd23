package shellwords

import (
	"errors"
	"fmt"
	"testing"

	"qipu/remedy"
)

// TestEveryCode: whatever can be done has words.
func TestEveryCode(t *testing.T) {
	for _, c := range remedy.Codes {
		if Say(c.With("4")) == "" {
			t.Errorf("%s has no words", c)
		}
	}
	if len(sentences) != len(remedy.Codes) {
		t.Errorf("%d sentences for %d codes", len(sentences), len(remedy.Codes))
	}
}

func ExampleText() {
	damaged := remedy.For(errors.New("catalog: the library is damaged"), remedy.Check)
	fmt.Println(Text(fmt.Errorf("game 4: %w", damaged)))
	fmt.Println(Text(errors.New("no such file")))
	// Output:
	// game 4: catalog: the library is damaged: run qipu doctor
	// no such file
}
