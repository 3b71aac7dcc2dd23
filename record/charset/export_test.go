package charset

// Offset returns the offset in data of what stands at offset at of its
// decoded text. Data is what Decode was given. It costs time in proportion to
// the offset, and is meant for messages.
func (t *Text) Offset(data []byte, at int) int {
	c := codecs[t.Encoding]
	if c == nil || at <= 0 {
		return t.BOM
	}
	if c.form == utf8Form && t.Broken == 0 {
		return min(t.BOM+at, len(data))
	}
	d := decoder{codec: c}
	return t.BOM + d.seek(data[min(t.BOM, len(data)):], at)
}

// Name returns the canonical name.
func (c *Codec) Name() string { return c.name }

// Transparent reports whether every byte below 0x80 is the ASCII character,
// wherever it stands. Raw bytes can then be searched for brackets, quotes and
// line ends before they are decoded. Of the others, Big5, GB18030 and
// Shift_JIS have the bytes of @ to ~ (and GB18030 the digits) as second bytes,
// so that line ends, blanks and quotes are still safe to look for and Width
// steps over whole characters; UTF-16, ISO-2022-JP and HZ have to be decoded
// first.
func (c *Codec) Transparent() bool {
	return c.form == utf8Form || c.form == single || c.form == eucJP
}

// Broken returns the number of places so far that could not be decoded.
func (d *Reader) Broken() int { return d.decoder.broken }
