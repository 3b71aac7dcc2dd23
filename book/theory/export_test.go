package theory

// Formats lists them.
func Formats() []Format { return []Format{CSV, Edax, Egaroucid} }
