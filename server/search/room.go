// Package search is the room of the server in which a library is asked: queries and
// their answers, the explorer, queries that are kept, and how a query is read.
package search

import "qipu/server/api"

type room struct{ *api.Service }

// Register registers what can be asked here.
func Register(service *api.Service) {
	s := &room{service}
	s.registerFind()
	s.registerExplore()
	s.registerOccurrences()
	s.registerQueries()
}
