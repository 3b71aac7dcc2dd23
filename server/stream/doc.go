// Package stream gives out the progress of long work as events that many
// listeners follow at once and that a listener can take up again where it lost
// them.
//
// A [Stream] is a numbered sequence of events. The worker sends, and never
// waits for a listener:
//
//	s := hub.New(stream.Keep("page"))
//	defer s.Close()
//	s.Send("progress", Progress{Games: 100})
//	s.Send("page", hits)
//
// Memory is bounded. Of each name only the latest event is kept, since a newer
// progress makes the older one worthless; of the names given to [Keep] all are
// kept, up to a bound. A listener that comes late or is slow gets the events
// that are still kept, in their order, and where kept ones had to be dropped it
// is told so by an event named [Gap].
//
// [Serve] writes a stream as server-sent events (text/event-stream). The id of
// an event names the stream and the number, so that a browser that lost its
// connection goes on after the last event it saw, by the header Last-Event-ID
// that it sends by itself. A [Hub] keeps streams for a while after their end,
// so that it finds them.
//
// The package knows nothing of what the events mean.
package stream
