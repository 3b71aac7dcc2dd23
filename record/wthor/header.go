package wthor

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// The sizes in bytes.
const (
	headerSize     = 16
	gameSize       = 68
	scoresAt       = 6 // offset of the scores in a game
	movesAt        = 8 // offset of the moves
	maxMoves       = gameSize - movesAt
	playerSize     = 20
	tournamentSize = 26
)

// header is the start of every WTHOR file.
type header struct {
	created    [4]byte // century, year, month, day
	games      uint32  // N1
	names      uint16  // N2
	year       uint16
	size       byte // P1
	solitaires byte // P2
	empties    byte // P3
	reserved   byte
}

func parseHeader(b []byte) header {
	return header{
		created:    [4]byte(b[:4]),
		games:      binary.LittleEndian.Uint32(b[4:]),
		names:      binary.LittleEndian.Uint16(b[8:]),
		year:       binary.LittleEndian.Uint16(b[10:]),
		size:       b[12],
		solitaires: b[13],
		empties:    b[14],
		reserved:   b[15],
	}
}

func (h *header) append(dst []byte) []byte {
	dst = append(dst, h.created[:]...)
	dst = binary.LittleEndian.AppendUint32(dst, h.games)
	dst = binary.LittleEndian.AppendUint16(dst, h.names)
	dst = binary.LittleEndian.AppendUint16(dst, h.year)
	return append(dst, h.size, h.solitaires, h.empties, h.reserved)
}

// plausible reports whether the fixed fields hold what they can hold. A date
// of zeros is what Write puts where it knows none.
func (h *header) plausible() bool {
	date := h.created == [4]byte{} ||
		(h.created[0] == 19 || h.created[0] == 20) && h.created[1] < 100 &&
			h.created[2] >= 1 && h.created[2] <= 12 && h.created[3] >= 1 && h.created[3] <= 31
	year := h.year == 0 || h.year >= 1900 && h.year < 2100
	size := h.size == 0 || h.size == 8 || h.size == 10
	return date && year && size && h.solitaires <= 1 && h.empties <= maxMoves
}

// table reports whether the file holds names, not games.
func (h *header) table() bool { return h.games == 0 && h.names > 0 }

// date returns the date of the file as text: "2026-02-24", or the four bytes
// parted by dots where they are no such date.
func (h *header) date() string {
	c := h.created
	for _, b := range c {
		if b > 99 {
			return fmt.Sprintf("%d.%d.%d.%d", c[0], c[1], c[2], c[3])
		}
	}
	return fmt.Sprintf("%02d%02d-%02d-%02d", c[0], c[1], c[2], c[3])
}

// setDate is the inverse of date.
func (h *header) setDate(text string) bool {
	parts := strings.Split(text, ".")
	if len(text) == len("2026-02-24") && text[4] == '-' && text[7] == '-' {
		parts = []string{text[:2], text[2:4], text[5:7], text[8:]}
	}
	if len(parts) != len(h.created) {
		return false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return false
		}
		h.created[i] = byte(n)
	}
	return true
}
