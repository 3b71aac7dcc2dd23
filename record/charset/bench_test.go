package charset_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"qipu/record/charset"
)

// gameText is like a record of Xiangqi in Chinese notation.
var gameText = "[Game \"Chinese Chess\"]\r\n[Event \"全國象棋個人賽\"]\r\n[Date \"1985.04.10\"]\r\n[Red \"王大明\"]\r\n[Black \"李小龍\"]\r\n[Result \"1-0\"]\r\n\r\n" +
	strings.Repeat("1. 炮二平五 馬８進７\r\n2. 馬二進三 車９平８\r\n3. 車一平二 卒７進１\r\n", 20) + "1-0\r\n"

func BenchmarkDecode(b *testing.B) {
	run := func(name string, data []byte, declared string) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if t, err := charset.Decode(data, declared, ""); err != nil || t.Broken > 0 {
					b.Fatal(t.Encoding, err)
				}
			}
		})
	}
	run("ascii", bytes.Repeat([]byte(";B[pd];W[dp]"), 5000), "")
	run("utf-8", []byte(strings.Repeat(gameText, 20)), "")
	for _, name := range []string{"big5", "gb18030"} {
		text := gameText
		if name == "gb18030" {
			text = strings.NewReplacer("馬", "马", "進", "进", "車", "车").Replace(text)
		}
		data, err := charset.Encode(text, name)
		if err != nil {
			b.Fatal(err)
		}
		run(name+"/guessed", data, "")
		run(name+"/declared", data, name)
		run(name+"/long", bytes.Repeat(data, 50), name)
	}
}

func BenchmarkReader(b *testing.B) {
	for _, name := range []string{"utf-8", "big5"} {
		data, err := charset.Encode(strings.Repeat(gameText, 1000), name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				r, err := charset.NewReader(bytes.NewReader(data), "", "")
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
