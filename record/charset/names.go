package charset

import "strings"

// aliases are the names of encodings as files and programs have them, by the
// canonical name, without the marks that name() drops.
var aliases = map[string]string{
	"utf-8":          "utf8 unicode11utf8 cesu8 ascii usascii ansix341968 iso646us cp65001 65001 utf8bom utf8sig utf8mb4 unicode",
	"utf-16le":       "utf16le utf16 ucs2 ucs2le utf16lebom iso10646ucs2 cp1200",
	"utf-16be":       "utf16be ucs2be unicodefffe cp1201",
	"gb18030":        "gb18030 gb180302000 gb180302005 gbk cp936 936 ms936 windows936 xgbk gb gb2312 gb231280 csgb2312 euccn xeuccn eucchina gb2312eucchina iso58gb231280 csiso58gb231280 chinese zhcn gbkeuc xmacsimpchinese",
	"hz-gb-2312":     "hz hzgb hzgb2312",
	"big5":           "big5 big5hkscs big5eten cnbig5 csbig5 xxbig5 xbig5 cp950 950 ms950 windows950 big5tw bigfive zhtw xmactradchinese hkscs",
	"shift_jis":      "shiftjis sjis xsjis mskanji csshiftjis cp932 932 ms932 windows31j cswindows31j windows932 shiftjis2004 sjisms xmacjapanese",
	"euc-jp":         "eucjp xeuc xeucjp ujis cseucpkdfmtjapanese eucjpms cp20932 cp51932 eucjis2004",
	"iso-2022-jp":    "iso2022jp csiso2022jp jis iso2022jp1 iso2022jp2 iso2022jp3 cp50220 cp50221 jiscode",
	"euc-kr":         "euckr cp949 949 ms949 windows949 uhc ksc5601 ksc56011987 kscc5601 korean cseuckr csksc56011987 isoir149 ksx1001 xwindows949 xmackorean extwansung",
	"iso-8859-1":     "iso88591 latin1 l1 iso885911987 isolatin1 cp819 ibm819 88591 csisolatin1 isoir100",
	"iso-8859-2":     "iso88592 latin2 l2 isolatin2 88592 csisolatin2",
	"iso-8859-3":     "iso88593 latin3 l3 isolatin3 88593 csisolatin3",
	"iso-8859-5":     "iso88595 cyrillic isolatincyrillic 88595",
	"iso-8859-15":    "iso885915 latin9 l9 isolatin9 latin0 885915 csisolatin9",
	"windows-1250":   "windows1250 cp1250 1250 win1250 xcp1250",
	"windows-1251":   "windows1251 cp1251 1251 win1251 xcp1251 ansi1251",
	"windows-1252":   "windows1252 cp1252 1252 win1252 xcp1252 ansi western windowslatin1",
	"windows-1254":   "windows1254 cp1254 1254 win1254 iso88599 latin5 l5 88599",
	"koi8-r":         "koi8r koi8 koi cskoi8r",
	"koi8-u":         "koi8u koi8ru",
	"ibm866":         "ibm866 cp866 866 dos866 csibm866",
	"macintosh":      "macintosh mac macroman xmacroman csmacintosh applemacroman",
	"x-mac-cyrillic": "xmaccyrillic maccyrillic",
}

var byAlias = func() map[string]string {
	m := make(map[string]string, 256)
	for name, list := range aliases {
		for _, a := range strings.Fields(list) {
			m[a] = name
		}
		m[plainName(name)] = name
	}
	return m
}()

// plainName drops case, spaces and the marks that writers of names disagree on:
// "KS_C_5601", "ks-c-5601", "ISO 8859-1".
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case strings.ContainsRune("-_ :./\t\r\n", r):
			return -1
		}
		return r
	}, name)
}

// Canonical returns the name of an encoding as this package uses it, by any of
// the names that files and programs have for it, in any case; "" for a name
// that is not known.
func Canonical(name string) string { return byAlias[plainName(name)] }

// Known reports whether there is an encoding of that name.
func Known(name string) bool { return Canonical(name) != "" }
