package store

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// Version is the state of a library, as far as answers depend on it. Two are
// compared by ==: what was worked out at one version holds as long as the library
// has the same. Nothing else may be made of its parts; neither sum nor order of
// versions means anything.
type Version struct {
	Near int64 // counts changes in the folder: of games and of notes
	Far  int64 // counts commits on the servers; 0 where there are none

	once int64 // not 0 in a version that equals no other
}

// Unique returns a version that equals no other: what is worked out now may not
// be kept.
func Unique() Version { return Version{once: rand.Int64()>>1 + 1} }

// String returns the version as a word, for tags and logs. Versions have the same
// word only if they are equal.
func (v Version) String() string {
	switch {
	case v.once != 0:
		return fmt.Sprintf("once-%d", v.once)
	case v.Far != 0:
		return fmt.Sprintf("%d-%d", v.Near, v.Far)
	}
	return fmt.Sprint(v.Near)
}

// Stamp returns a number by which files and databases know the version again. It
// is 0 for the zero version, and Near for one of a folder. Others have the same
// stamp by chance alone, which is not to be waited for.
func (v Version) Stamp() int64 {
	switch {
	case v.once != 0:
		return -v.once
	case v.Far == 0:
		return v.Near
	}
	h := fnv.New64a()
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v.Near))
	binary.LittleEndian.PutUint64(b[8:], uint64(v.Far))
	h.Write(b[:])
	return int64(h.Sum64()>>2) | 1<<62 // no number that a folder will come to
}
