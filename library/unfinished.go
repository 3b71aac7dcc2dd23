package library

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"qipu/remedy"
	"qipu/store"
)

// unfinishedFile is the file in the folder of a library that tells which command makes
// it. It is there before the library is, and until all of it is.
const unfinishedFile = "unfinished"

// Begin notes in a folder that a command begins to make a library there, so that one
// that is killed leaves none that looks whole. A library that is there already is not
// marked, and one on servers never: its copies go on by themselves.
func Begin(place, command string) error {
	if Exists(place) {
		return nil
	}
	err := os.MkdirAll(place, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(place, unfinishedFile), []byte(command+"\n"), 0o666)
	}
	if err != nil {
		return fmt.Errorf("the library cannot be made: %w", err)
	}
	return nil
}

// Unfinished returns which command has begun to make the library in a folder, and not
// ended; empty for none.
func Unfinished(place string) string {
	text, err := os.ReadFile(filepath.Join(place, unfinishedFile))
	if err != nil || store.OnServers(place) {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// Finish notes that all of a library is there.
func Finish(place string) error {
	if err := os.Remove(filepath.Join(place, unfinishedFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the library is whole, and marked as unfinished: %w", err)
	}
	return nil
}

// checkFinished returns that the library is unfinished, where it is.
func (l *Library) checkFinished() []store.Problem {
	command := Unfinished(l.Place())
	if command == "" {
		return nil
	}
	return []store.Problem{{What: "library", Reason: "it is unfinished: " + command + " did not come to its end", Remedy: remedy.GoOn.With("")}}
}
