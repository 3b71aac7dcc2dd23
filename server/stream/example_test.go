package stream_test

import (
	"context"
	"fmt"

	"qipu/server/stream"
)

// A client that lost its connection after the first page goes on behind it. The
// older progress is not sent again: the newer one has replaced it.
func Example() {
	var hub stream.Hub
	s, _ := hub.Open("search", stream.Keep("page"))
	s.Send("progress", 10)
	s.Send("page", []string{"game 1", "game 2"})
	s.Send("progress", 50)
	s.Send("page", []string{"game 3"})
	s.Send("progress", 100)
	s.Close()

	last := "search-2"
	found, _ := hub.Get(last)
	_, after, _ := stream.ParseID(last)
	for e := range found.Events(context.Background(), after) {
		fmt.Println(s.EventID(e.Seq), e.Name, string(e.Data))
	}
	// Output:
	// search-4 page ["game 3"]
	// search-5 progress 100
}
