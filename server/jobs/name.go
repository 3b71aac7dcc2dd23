package jobs

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxPart  = 120 // bytes of a part of a name, within what disks take
	maxParts = 12  // folders
	maxTitle = 200 // bytes of a title
)

// Sanitise makes a name that a browser sent fit for use. Shown is what users and
// records call the file: its folders and letters, without what leads out of the
// folder, roots it, or cannot be printed. Disk is the path below the spool: the
// same, in letters that every system takes. Both are relative, clean, parted by
// slashes and never empty; Sanitise of either is itself again.
func Sanitise(name string) (shown, disk string) {
	name = strings.ReplaceAll(strings.ToValidUTF8(name, "_"), `\`, "/")
	var show, keep []string
	for part := range strings.SplitSeq(name, "/") {
		part = shorten(strings.TrimSpace(strings.Map(visible, part)), maxPart)
		if strings.Trim(part, ".") == "" || len(show) == 0 && drive(part) {
			continue
		}
		show = append(show, part)
		keep = append(keep, safe(part))
	}
	if n := len(show); n > maxParts {
		show, keep = show[n-maxParts:], keep[n-maxParts:]
	}
	if len(show) == 0 {
		return "file", "file"
	}
	return strings.Join(show, "/"), strings.Join(keep, "/")
}

// drive reports whether a part is the root of a path of Windows.
func drive(part string) bool { return len(part) == 2 && part[1] == ':' }

// visible drops what cannot be seen, or turns text around to deceive.
func visible(c rune) rune {
	switch {
	case c == ' ' || unicode.IsPrint(c):
		return c
	case unicode.IsSpace(c):
		return ' '
	}
	return -1
}

// shorten cuts a name to so many bytes, and keeps its extension.
func shorten(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > 16 {
		ext = ""
	}
	cut := limit - len(ext)
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return strings.TrimSpace(name[:cut]) + ext
}

// safe makes a part of a name fit for every file system.
func safe(part string) string {
	part = strings.Map(func(c rune) rune {
		if strings.ContainsRune(`<>:"|?*`, c) {
			return '_'
		}
		return c
	}, part)
	if last := part[len(part)-1]; last == '.' || last == ' ' {
		part = part[:len(part)-1] + "_" // Windows drops both
	}
	if part[0] == '~' {
		part = "_" + part[1:] // such names are the spool's own
	}
	stem, _, _ := strings.Cut(part, ".")
	if reserved(strings.ToUpper(strings.TrimSpace(stem))) {
		part = "_" + part
	}
	return part
}

// reserved reports whether Windows takes a name for a device, whatever its
// extension.
func reserved(stem string) bool {
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	if len(stem) < 4 || stem[:3] != "COM" && stem[:3] != "LPT" {
		return false
	}
	switch stem[3:] {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return true
	}
	return false
}

// clip makes a title fit to be kept: one line of printable text.
func clip(text string) string {
	text = strings.TrimSpace(strings.Map(visible, strings.ToValidUTF8(text, "_")))
	if len(text) <= maxTitle {
		return text
	}
	cut := maxTitle
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strings.TrimSpace(text[:cut])
}
