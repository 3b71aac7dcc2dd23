package charset_test

import (
	"fmt"

	"qipu/record/charset"
)

func ExampleDecode() {
	// The file says UTF-8, but it is not.
	file := []byte("(;CA[UTF-8]PB[\xc4\xbf\xc1\xa6]PW[\xc5\xc1\xbf\xfe\xc0\xcc\xbd\xcc]BR[9\xb4\xdc])")
	t, err := charset.Decode(file, "UTF-8", "")
	fmt.Println(t.Encoding, t.Guessed, string(t.UTF8), err)
	// Output: euc-kr true (;CA[UTF-8]PB[커제]PW[탕웨이싱]BR[9단]) <nil>
}
