// Package typescript writes the TypeScript types of an API from its OpenAPI 3.1
// document, so that the client is compiled against what the server really
// answers.
//
//	text, err := typescript.Types(document)
//
// Every schema of the document becomes an exported type under its own name, and
// the operations become one interface:
//
//	export interface Operations {
//	  'GET /records/{id}': { path: { id: number }; query: { ply?: number }; body: undefined; reply: Record };
//	}
//
// which is all that a client function needs to be typed in full:
//
//	function call<K extends keyof Operations>(op: K, params: …): Promise<Operations[K]['reply']>
//
// It is no general generator: it knows the part of OpenAPI that the API uses,
// and says so where a document goes beyond it. It writes types alone, no code.
package typescript
