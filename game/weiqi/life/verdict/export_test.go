package verdict

// Names returns the names of the features.
func Names() []string { return names[:] }
