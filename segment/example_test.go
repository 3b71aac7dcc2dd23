//qipu:race

package segment_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"qipu/segment"
)

func Example() {
	dir, err := os.MkdirTemp("", "segment")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	w, err := segment.Create(dir, "words-1.seg", "words", 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Abort()
	w.Section("pages")
	for _, word := range []string{"hane", "", "atari"} {
		fmt.Fprint(w, word)
		w.Page()
	}
	info, err := w.Commit()
	if err != nil {
		fmt.Println(err)
		return
	}

	f, err := segment.Open(info.Path, segment.Kinds{"words": {Min: 1, Max: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	s, _ := f.Section("pages")
	err = segment.Guard(func() error {
		for i := range s.Pages() {
			page, err := s.Page(i)
			if err != nil {
				return err
			}
			fmt.Printf("%d %q\n", i, page)
		}
		return nil
	})
	fmt.Println(err)

	_, err = segment.Open(info.Path, segment.Kinds{"words": {Min: 2, Max: 2}})
	fmt.Println("to be rebuilt:", errors.Is(err, segment.ErrOlder))
	// Output:
	// 0 "hane"
	// 1 ""
	// 2 "atari"
	// <nil>
	// to be rebuilt: true
}

func ExampleMemory() {
	f, err := segment.Memory("words", 1, func(w *segment.Writer) error {
		w.Section("text")
		_, err := w.Write([]byte("joseki"))
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	s, _ := f.Section("text")
	b, err := s.Bytes()
	fmt.Printf("%s %v\n", b, err)
	// Output: joseki <nil>
}

// TestGuardPanics checks that Guard hands on what is no memory fault.
func TestGuardPanics(t *testing.T) {
	own := errors.New("own")
	if err := segment.Guard(func() error { return own }); err != own {
		t.Errorf("%v, want the error of the function", err)
	}
	var none *[8]int
	empty := []int{}
	for name, fn := range map[string]func() error{
		"value": func() error { panic("value") },
		"nil":   func() error { none[len(empty)+1]++; return nil },
		"index": func() error { empty[len(empty)]++; return nil },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the panic was swallowed", name)
				}
			}()
			err := segment.Guard(fn)
			t.Errorf("%s: %v", name, err)
		}()
	}
	ended := make(chan bool)
	go func() {
		defer close(ended)
		segment.Guard(func() error { runtime.Goexit(); return nil })
		ended <- true
	}()
	if <-ended {
		t.Error("Guard stopped the end of its goroutine")
	}
}

// big writes a segment of 64 MiB in pages of 64 KiB.
func big(b *testing.B, dir string) string {
	w, err := segment.Create(dir, "big.seg", "test", 1)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Abort()
	w.Section("s")
	page := make([]byte, 64<<10)
	for i := range 1 << 10 {
		page[i]++
		w.Write(page)
		w.Page()
	}
	info, err := w.Commit()
	if err != nil {
		b.Fatal(err)
	}
	return filepath.Clean(info.Path)
}

func BenchmarkWrite(b *testing.B) {
	b.SetBytes(64 << 20)
	for b.Loop() {
		os.Remove(big(b, b.TempDir()))
	}
}

func BenchmarkOpen(b *testing.B) {
	path := big(b, b.TempDir())
	b.ReportAllocs()
	for b.Loop() {
		f, err := segment.Open(path, nil)
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}

func BenchmarkVerify(b *testing.B) {
	f, err := segment.Open(big(b, b.TempDir()), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	b.SetBytes(64 << 20)
	for b.Loop() {
		if err := f.Verify(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPage touches pages that were checked before.
func BenchmarkPage(b *testing.B) {
	f, err := segment.Open(big(b, b.TempDir()), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s, _ := f.Section("s")
	if _, err := s.Bytes(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := s.Page(i & 1023); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGuard(b *testing.B) {
	for b.Loop() {
		segment.Guard(func() error { return nil })
	}
}
