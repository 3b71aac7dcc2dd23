// Package segment is the container of every derived file of a library: tables,
// bitmaps, hashes, statistics. A segment is immutable, memory-mapped,
// checksummed, versioned, and published atomically: under its final name it is
// either whole or absent. All that it holds can be made anew from the records,
// therefore damage is never repaired, only found and told.
//
//	w, err := segment.Create(dir, "table-7.seg", "table", 3)
//	if err != nil {
//		return err
//	}
//	defer w.Abort() // does nothing after Commit
//	w.Section("arrivals")
//	w.Write(block) // errors stay: Commit returns the first of them
//	w.Page()
//	info, err := w.Commit()
//
//	f, err := segment.Open(info.Path, segment.Kinds{"table": {Min: 2, Max: 3}})
//	s, ok := f.Section("arrivals")
//	err = segment.Guard(func() error {
//		page, err := s.Page(0)
//		...
//	})
//
// Open costs the same whatever the size of the file: it checks both ends and
// the directory, and reads no data. A page is checked when it is first touched
// in the process, and is free from then on.
//
// The bytes that a [File] hands out lie in the map: they are valid while a
// reference is held ([File.Acquire]), must not be written to, and are read
// inside [Guard], since a file that somebody shortens or a disk that fails
// under the map is a memory fault and would end the process.
//
// # Layout
//
// All numbers are little endian, all parts begin at multiples of 64 bytes, all
// gaps are zero and covered by a checksum, which is always xxh3 of 64 bits:
//
//	header    magic "QIPUSEG\n" 8 | format 4 | version 4 | kind 16 | zero 24 | checksum of these 8
//	data      of each section its pages, each padded to 64 bytes
//	tables    of each section, for each page: end of its bytes in the section 8 | checksum with padding 8
//	directory of each section: name 16 | data 8 | length 8 | table 8 | pages 8 | checksum of table 8 | zero 8
//	trailer   magic "QIPUEND\n" 8 | size of file 8 | directory 8 | sections 8 | checksum of directory 8 |
//	          checksum in header 8 | zero 8 | checksum of these 8
//
// Parts follow each other without holes in this order, so that every byte of a
// file is covered exactly once. The header has this form in every format to
// come, for an older program to be able to tell a newer file from a damaged one.
//
// The package knows nothing of games, nor of what sections mean.
package segment
