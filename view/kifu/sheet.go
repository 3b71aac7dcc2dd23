package kifu

import (
	"strconv"

	"qipu/board/picture"
	"qipu/board/picture/pdf"
)

// sheet is where the next thing goes on the pages.
type sheet struct {
	doc           *pdf.Document
	page          *pdf.Page
	width, height float64
	margin, size  float64 // of the page and of letters
	board, tall   float64 // how wide and high boards are at the most
	y             float64
}

func newSheet(doc *pdf.Document, phone bool) *sheet {
	s := &sheet{doc: doc, width: 595.28, height: 841.89, margin: 54, size: 10, board: 296, tall: 290}
	if phone {
		s.width, s.height, s.margin, s.size, s.board, s.tall = 360, 640, 18, 11, 324, 520
	}
	s.turn()
	return s
}

// turn begins a page.
func (s *sheet) turn() {
	s.page = s.doc.Page(s.width, s.height)
	s.page.Text(s.width/2, s.height-s.margin/2, pdf.Style{Size: 8, Align: pdf.Center, Gray: 0.4}, strconv.Itoa(s.doc.Pages()))
	s.y = s.margin
}

// room begins a page where less than so much is left.
func (s *sheet) room(high float64) {
	if s.y+high > s.height-s.margin {
		s.turn()
	}
}

// space leaves some room, but not at the top of a page.
func (s *sheet) space(high float64) {
	if s.y > s.margin {
		s.y += high
	}
}

func (s *sheet) paragraph(text string, style pdf.Style) {
	high := style.Size * 1.4
	for _, line := range s.doc.Wrap(text, style, s.width-2*s.margin) {
		s.room(high)
		s.page.Text(s.margin, s.y+style.Size, style, line)
		s.y += high
	}
}

func (s *sheet) rule() {
	s.y += 4
	s.page.Rule(s.margin, s.y, s.width-s.margin)
	s.y += 8
}

// picture draws a picture in the middle, with text before it and a line under it, all on one
// page.
func (s *sheet) picture(text string, p *picture.Picture, caption string) {
	wide := s.board
	high := wide * p.H / p.W
	if high > s.tall {
		wide, high = wide*s.tall/high, s.tall
	}
	style := pdf.Style{Size: s.size}
	above := 0.0
	if text != "" {
		above = 4 + 1.4*s.size*float64(len(s.doc.Wrap(text, style, s.width-2*s.margin)))
	}
	if s.room(above + high + 20); text != "" {
		s.paragraph(text, style)
		s.y += 4
	}
	s.page.Picture(p, (s.width-wide)/2, s.y, wide)
	s.y += high
	if caption != "" {
		s.page.Text(s.width/2, s.y+12, pdf.Style{Size: s.size, Bold: true, Align: pdf.Center}, caption)
		s.y += 18
	} else {
		s.y += 6
	}
}
