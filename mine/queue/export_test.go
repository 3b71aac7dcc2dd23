package queue

// Parse and Lines are what the file of a queue is read and written by.
func Parse(data []byte) (*Queue, error) { return parse(data) }

// Lines returns the lines of a queue.
func (q *Queue) Lines() ([]byte, error) { return q.lines() }
