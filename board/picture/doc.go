// Package picture takes the pictures that board/draw writes apart into shapes, and lays
// them on paper: as pixels (PNG, animated GIF), or on pages of a document (package pdf).
//
// It reads what board/draw writes and not SVG in general: paths, circles, rectangles,
// groups, drawings that are used again, radial gradients and lines of text. What it does
// not know is an error, so that nothing is left out in silence.
package picture
