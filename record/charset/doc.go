// Package charset turns the bytes of record files into UTF-8: it believes a
// declaration that fits, guesses where there is none, and keeps text readable
// where characters are cut or broken.
//
//	t, err := charset.Decode(data, "GB2312", "") // what the file says, what the user says
//	fmt.Println(t.Encoding, t.Guessed, t.Broken, string(t.UTF8))
//
// [Decode] is for texts in memory, [NewReader] for streams. A format that
// scans raw bytes, to have exact offsets and to keep the bytes of a game,
// picks a [Codec] once per file and decodes what it cuts out; see
// [Codec.Transparent] and [Codec.Width].
//
// # Encodings
//
// UTF-8, UTF-16, GB18030 (with GBK, GB 2312, EUC-CN), HZ, Big5 (with cp950 and
// HKSCS), Shift_JIS (cp932), EUC-JP, ISO-2022-JP, EUC-KR (cp949), ISO-8859-1,
// -2, -3, -5, -15, Windows-1250, -1251, -1252, -1254, KOI8, cp866, Macintosh;
// each under all the names that files have for it ([Canonical]).
//
// # What is believed
//
// In this order: what the user says; a byte order mark; the look of UTF-16; that
// the bytes are valid UTF-8; what the file declares, if its text is about as
// likely under it as under any other encoding; the likeliest encoding. A
// declaration of a one-byte encoding, which any bytes fit, needs more to be
// believed than one of a multi-byte encoding.
//
// # Broken characters
//
// Each place that is no character becomes one U+FFFD and is counted. A cut
// character never takes the ASCII byte behind it along: the bracket or quote
// that ends a value survives. In Big5, GB18030 and Shift_JIS a closing bracket
// may also be the second byte of a character; there it is read as the bracket
// if what follows it continues SGF, and as part of the character otherwise.
//
// The detector is for texts in the languages of the games. It does not know
// Thai, Vietnamese or Arabic, and of a name of two characters it can be wrong.
package charset
