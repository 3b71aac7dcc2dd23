package qipu_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"qipu"
)

// The front door stays small: the sixteenth method is a room, and what is not a door
// has a folder.
func TestFrontDoor(t *testing.T) {
	if n := reflect.TypeFor[*qipu.Library]().NumMethod(); n > 15 {
		t.Errorf("the library has %d methods at its front door, want at most 15", n)
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) > 8 {
		t.Errorf("%d Go files in the root folder, want at most 8: %v", len(files), err)
	}
}
