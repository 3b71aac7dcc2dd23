package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	path         string
	from, to     int // bytes that are replaced
	with         string
	line, column int
	what         string // as in "< becomes <="
	text         string // the line as it is
	inFunc       bool
}

// apply returns the source with the change.
func (m *mutant) apply(source []byte) []byte {
	return append(append(append(make([]byte, 0, len(source)+len(m.with)), source[:m.from]...), m.with...), source[m.to:]...)
}

// slips are what an operator may be taken for.
var slips = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.ADD: "-", token.SUB: "+", token.MUL: "+", token.QUO: "*", token.REM: "*",
	token.AND: "|", token.OR: "&", token.XOR: "|", token.AND_NOT: "&", token.SHL: ">>", token.SHR: "<<",
	token.LAND: "||", token.LOR: "&&",
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "+=", token.QUO_ASSIGN: "*=",
	token.AND_ASSIGN: "|=", token.OR_ASSIGN: "&=", token.XOR_ASSIGN: "|=", token.AND_NOT_ASSIGN: "&=",
	token.SHL_ASSIGN: ">>=", token.SHR_ASSIGN: "<<=",
}

// mutantsOf returns all changes of a file. Texts stay as they are: what a message says is
// not what tests are for.
func mutantsOf(path string, source []byte) (list []mutant, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	lines := strings.Split(string(source), "\n")
	inFunc := false
	add := func(from, to token.Pos, with, what string) {
		at := set.Position(from)
		list = append(list, mutant{
			path: path, from: at.Offset, to: set.Position(to).Offset, with: with,
			line: at.Line, column: at.Column, what: what, text: strings.TrimSpace(lines[at.Line-1]), inFunc: inFunc,
		})
	}
	operator := func(at token.Pos, op token.Token) {
		if other, ok := slips[op]; ok {
			add(at, at+token.Pos(len(op.String())), other, op.String()+" becomes "+other)
		}
	}
	condition := func(e ast.Expr) {
		if e != nil {
			add(e.Pos(), e.End(), "true", "the condition becomes true")
			add(e.Pos(), e.End(), "false", "the condition becomes false")
		}
	}
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field:
			return false // types and tags
		case *ast.ArrayType:
			return n.Len == nil
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
			if n.Tok == token.ASSIGN {
				add(n.Pos(), n.End(), "", "the assignment is left out")
			}
		case *ast.IncDecStmt:
			if n.Tok == token.INC {
				add(n.TokPos, n.End(), "--", "++ becomes --")
			} else {
				add(n.TokPos, n.End(), "++", "-- becomes ++")
			}
		case *ast.UnaryExpr:
			switch n.Op {
			case token.NOT:
				add(n.Pos(), n.X.Pos(), "", "! is left out")
			case token.SUB:
				add(n.Pos(), n.X.Pos(), "", "the minus is left out")
			}
		case *ast.BasicLit:
			if v, err := strconv.ParseInt(n.Value, 0, 63); n.Kind == token.INT && err == nil {
				add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10), fmt.Sprintf("%s becomes %d", n.Value, v+1))
			}
		case *ast.IfStmt:
			condition(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				add(n.Cond.Pos(), n.Cond.End(), "false", "the condition becomes false")
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "panic" {
					add(n.Pos(), n.End(), "", "the call is left out")
				}
			}
		case *ast.BranchStmt:
			if n.Label == nil && n.Tok == token.CONTINUE {
				add(n.Pos(), n.End(), "break", "continue becomes break")
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				add(n.Pos(), n.End(), "false", "true becomes false")
			case "false":
				add(n.Pos(), n.End(), "true", "false becomes true")
			}
		}
		return true
	}
	for _, d := range file.Decls {
		f, isFunc := d.(*ast.FuncDecl)
		if inFunc = isFunc; isFunc {
			if f.Body != nil {
				ast.Inspect(f.Body, visit)
			}
			continue
		}
		ast.Inspect(d, visit)
	}
	return list, nil
}
