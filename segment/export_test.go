package segment

// Name returns the name of the section.
func (s *Section) Name() string { return s.name }
