// Command gen makes the tables of package text from open data that lies on
// disk; it downloads nothing:
//
//	go run ./gen -opencc DIR/data/dictionary -opencc-version COMMIT \
//		-pinyin DIR/pinyin.txt -pinyin-version VERSION
//
// DIR are copies of the repositories that the heads of the tables name. What
// Unicode says of case, width, compatibility and marks comes from the
// golang.org/x/text that the module requires.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	opencc := flag.String("opencc", "", "folder data/dictionary of OpenCC")
	openccVersion := flag.String("opencc-version", "", "its commit")
	pinyin := flag.String("pinyin", "", "file pinyin.txt of pinyin-data")
	pinyinVersion := flag.String("pinyin-version", "", "its commit")
	out := flag.String("out", ".", "folder to write to")
	flag.Parse()
	if err := run(*opencc, *openccVersion, *pinyin, *pinyinVersion, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(opencc, openccVersion, pinyin, pinyinVersion, out string) error {
	if opencc == "" || pinyin == "" || openccVersion == "" || pinyinVersion == "" {
		return fmt.Errorf("give -opencc, -opencc-version, -pinyin and -pinyin-version")
	}
	han, err := readClasses(opencc)
	if err != nil {
		return err
	}
	head := fmt.Sprintf(`# Characters that count as one in a search. Made by workshop/textgen; do not edit.
# Han characters: OpenCC, https://github.com/BYVoid/OpenCC, commit %s,
# data/dictionary, Apache License 2.0, and the variants of names in workshop/textgen/han.go.
# All others: Unicode %s by golang.org/x/text (Unicode License, BSD).
# Lines: a code point in hex, *N where N of them do the same, a tab, and what
# they and those behind them become: a character, . itself, _ a blank, ~ nothing,
# (several); or = and a class of Han characters, first the one that stands for all.
`, openccVersion, unicodeVersion)
	if err := os.WriteFile(filepath.Join(out, "fold.txt"), foldTable(head, han), 0o644); err != nil {
		return err
	}
	readings, err := readPinyin(pinyin, han)
	if err != nil {
		return err
	}
	head = fmt.Sprintf(`# Mandarin readings without tones. Made by workshop/textgen; do not edit.
# Source: pinyin-data, https://github.com/mozillazg/pinyin-data, commit %s, MIT License.
# Only characters of GB 2312, Big5, JIS X 0208 and KS X 1001, and of a class in
# fold.txt only the first unless they are read otherwise.
`, pinyinVersion)
	return os.WriteFile(filepath.Join(out, "pinyin.txt"), append([]byte(head), readings...), 0o644)
}

// lines calls f for the fields of every line of a file that is no comment.
func lines(path string, f func(key string, values []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if text, _, _ := strings.Cut(line, "#"); strings.TrimSpace(text) != "" {
			fields := strings.Fields(text)
			if len(fields) < 2 {
				return fmt.Errorf("%s:%d: a line of one field", path, n)
			}
			if err := f(fields[0], fields[1:]); err != nil {
				return fmt.Errorf("%s:%d: %w", path, n, err)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}
