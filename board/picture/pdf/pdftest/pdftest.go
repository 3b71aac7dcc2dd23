// Package pdftest reads the text of documents, for tests. It finds objects by the table at
// the end of a file and knows what package pdf writes, no more.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

var (
	object  = regexp.MustCompile(`^(\d+) 0 obj\n`)
	startAt = regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`)
	length  = regexp.MustCompile(`/Length (\d+)`)
	named   = regexp.MustCompile(`/(\w+(?:-\w+)?) (\d+) 0 R`)
	shown   = regexp.MustCompile(`BT /(\S+) \S+ Tf .*? Tm <([0-9A-F]*)> Tj ET`)
	mapped  = regexp.MustCompile(`<([0-9A-F]{4})> <([0-9A-F]+)>`)
	number  = regexp.MustCompile(`(\d+) 0 R`)
)

// Text returns the pieces of text of each page of a document, in their order.
func Text(data []byte) (pages [][]string, err error) {
	m := startAt.FindSubmatch(data)
	if m == nil {
		return nil, fmt.Errorf("no startxref at the end")
	}
	at, _ := strconv.Atoi(string(m[1]))
	if at >= len(data) || !bytes.HasPrefix(data[at:], []byte("xref\n0 ")) {
		return nil, fmt.Errorf("no table at %d", at)
	}
	lines := strings.Split(string(data[at:]), "\n")
	n, _ := strconv.Atoi(strings.Fields(lines[1])[1])
	objects := map[int][]byte{}
	for i := 1; i < n; i++ {
		off, _ := strconv.Atoi(strings.Fields(lines[2+i])[0])
		head := object.FindSubmatch(data[off:])
		if head == nil || string(head[1]) != strconv.Itoa(i) {
			return nil, fmt.Errorf("object %d is not at %d", i, off)
		}
		body := data[off+len(head[0]):]
		end := bytes.Index(body, []byte("\nendobj\n"))
		if l := length.FindSubmatch(body[:bytes.IndexByte(body, '\n')]); l != nil {
			size, _ := strconv.Atoi(string(l[1]))
			end = bytes.Index(body, []byte("stream\n")) + len("stream\n") + size
		}
		objects[i] = body[:end]
	}
	ref := func(body []byte, key string) []byte {
		i := bytes.Index(body, []byte(key))
		if i < 0 {
			return nil
		}
		id, _ := strconv.Atoi(string(number.FindSubmatch(body[i:])[1]))
		return objects[id]
	}
	root := ref([]byte(lines[len(lines)-5]), "/Root")
	tree := ref(root, "/Pages")
	kids := tree[bytes.Index(tree, []byte("/Kids[")):]
	for _, id := range number.FindAllSubmatch(kids, -1) {
		i, _ := strconv.Atoi(string(id[1]))
		page := objects[i]
		content, err := unpack(ref(page, "/Contents"))
		if err != nil {
			return nil, err
		}
		resources := ref(page, "/Resources")
		fonts := map[string][]byte{}
		for _, f := range named.FindAllSubmatch(resources, -1) {
			id, _ := strconv.Atoi(string(f[2]))
			fonts[string(f[1])] = objects[id]
		}
		var texts []string
		for _, s := range shown.FindAllSubmatch(content, -1) {
			text, err := decode(fonts[string(s[1])], string(s[2]), ref)
			if err != nil {
				return nil, fmt.Errorf("font %s: %w", s[1], err)
			}
			texts = append(texts, text)
		}
		pages = append(pages, texts)
	}
	return pages, nil
}

func unpack(body []byte) ([]byte, error) {
	_, stream, _ := bytes.Cut(body, []byte("stream\n"))
	z, err := zlib.NewReader(bytes.NewReader(stream))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// decode returns what codes of a font stand for.
func decode(font []byte, codes string, ref func([]byte, string) []byte) (string, error) {
	if font == nil {
		return "", fmt.Errorf("is not among the resources")
	}
	if bytes.Contains(font, []byte("-UTF16-H")) {
		return units(codes)
	}
	m, err := unpack(ref(font, "/ToUnicode"))
	if err != nil {
		return "", err
	}
	table := map[string]string{}
	for _, row := range mapped.FindAllSubmatch(m, -1) {
		table[string(row[1])] = string(row[2])
	}
	out := ""
	for ; len(codes) >= 4; codes = codes[4:] {
		to, ok := table[codes[:4]]
		if !ok {
			return "", fmt.Errorf("code %s stands for nothing", codes[:4])
		}
		text, err := units(to)
		if err != nil {
			return "", err
		}
		out += text
	}
	return out, nil
}

func units(text string) (string, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b)%2 != 0 {
		return "", fmt.Errorf("no UTF-16: %s", text)
	}
	var list []uint16
	for i := 0; i < len(b); i += 2 {
		list = append(list, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return string(utf16.Decode(list)), nil
}
