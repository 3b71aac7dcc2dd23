package qipu

// Version is the semantic version of the program.
const Version = "0.1.0"
