// Package web is the client of the web app: TypeScript, style sheets and texts
// in five languages, embedded as source and bundled by esbuild, as a library,
// when the program starts. No Node builds it or runs it, and no generated file
// lies in the repository.
//
//	app, err := web.New(web.Options{})
//	if err != nil {
//		return err
//	}
//	mux.Handle("/", app)
//
// [New] starts the bundling and returns at once; the first request waits for it.
// All that an [App] serves then lies in memory, compressed once, under names
// that carry a hash of the content, so that browsers keep it for ever:
//
//	/app-HASH.js, /app-HASH.css     the entry of the client, and its style
//	/play-HASH.js, ...              a script for each page, which comes when it is wanted
//	/chunk-HASH.js, ...             what pages share
//	/icons-HASH.svg, /pieces-HASH.svg its icons and piece pictures
//	/offers-HASH.data               shapes and queries to begin with, as JSON
//	/i18n/LANGUAGE-HASH.json        its texts
//	/favicon.svg, /robots.txt, ...  the files of the folder static
//	/, /search, /records/42, ...    the pages: one shell, index.html, which names the above
//
// The shell of a page tells the browser all scripts that the page waits for, so
// that they come at once and not one after the other.
//
// A page that does not exist is the same shell with status 404, and the client
// says so. A request can only name an entry of that table: no path of a request
// ever reaches a file system.
//
// With [Options.Dir] the sources come from a folder and are bundled anew after
// every change, for those who work on the client.
//
// The package knows nothing of the API, sets no security headers and keeps no
// log of requests: package server does.
package web
