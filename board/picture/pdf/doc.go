// Package pdf writes documents of pages with pictures and text, as PDF 1.7. Text can be
// selected and searched.
//
// Latin letters are set in a font that is embedded as far as it is used. Chinese, Japanese
// and Korean are set in the fonts that readers of PDF have for these languages, or in a
// TrueType font that the caller names, which is embedded as far as it is used, too. The same
// document gives the same bytes.
package pdf
