package charset_test

import (
	"slices"
	"testing"

	"qipu/record/charset"
)

func TestFields(t *testing.T) {
	want := []string{"中国象棋协会", "", "Red", "炮二平五，马８进７。红方多子占优"}
	var fields [][]byte
	for _, text := range want {
		data, err := charset.Encode(text, "gb18030")
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, data)
	}
	got, about, err := charset.Fields(fields, "", "", "gb18030")
	if err != nil || !slices.Equal(got, want) || about.Encoding != "gb18030" || about.Broken != 0 {
		t.Errorf("%q %+v %v: want %q", got, about, err, want)
	}
	if _, _, err = charset.Fields(fields, "", "no such"); err == nil {
		t.Error("an unknown encoding is taken")
	}
	fields[0] = fields[0][:5]
	if _, about, _ = charset.Fields(fields, "gb18030", "gb18030"); about.Broken != 1 {
		t.Errorf("a character cut in half: %d places broken, want 1", about.Broken)
	}
}

func TestEncode(t *testing.T) {
	if _, err := charset.Encode("象", "windows-1252"); err == nil {
		t.Error("a character without a place is encoded")
	}
	if _, err := charset.Encode("x", "no such"); err == nil {
		t.Error("an unknown encoding is taken")
	}
}
