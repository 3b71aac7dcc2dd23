// Package bench holds a whole library against others and against the clock: random
// questions against an oracle that shares nothing with the code, a library on servers
// against one in a folder, and the figures of docs/performance.md. It has tests and
// benchmarks alone.
package bench
