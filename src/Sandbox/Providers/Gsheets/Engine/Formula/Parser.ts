import { type CellError, cellError, parseError } from "../Value.ts"
import { type Reference, type Token, tokenize } from "./Tokenizer.ts"

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | CellError | null }
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "array"; readonly rows: ReadonlyArray<ReadonlyArray<Expression>> }
  | { readonly kind: "call"; readonly name: string; readonly args: ReadonlyArray<Expression> }
  | { readonly kind: "sign"; readonly operator: string; readonly of: Expression }
  | { readonly kind: "percent"; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }

class ParseError extends Error {}

const operatorsByPrecedence = [["=", "<>", "<", "<=", ">", ">="], ["&"], ["+", "-"], ["*", "/"], ["^"]]

export const parseFormula = (formula: string): Expression | undefined => {
  const found = tokenize(formula.slice(1))
  if (found === undefined) return undefined
  try {
    return new FormulaParser(found.filter(({ kind }) => kind !== "blank")).whole()
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

class FormulaParser {
  readonly #tokens: ReadonlyArray<Token>
  #position = 0

  constructor(found: ReadonlyArray<Token>) {
    this.#tokens = found
  }

  whole(): Expression {
    const expression = this.#level(0)
    if (this.#position < this.#tokens.length) throw new ParseError()
    return expression
  }

  #level(level: number): Expression {
    const operators = operatorsByPrecedence[level]
    if (operators === undefined) return this.#signed()
    let left = this.#level(level + 1)
    for (;;) {
      const token = this.#tokens[this.#position]
      if (token?.kind !== "operator" || !operators.includes(token.text)) return left
      this.#position++
      left = { kind: "binary", operator: token.text, left, right: this.#level(level + 1) }
    }
  }

  #signed(): Expression {
    const token = this.#tokens[this.#position]
    if (token?.kind === "operator" && (token.text === "-" || token.text === "+")) {
      this.#position++
      return { kind: "sign", operator: token.text, of: this.#signed() }
    }
    let expression = this.#primary()
    while (this.#take("%")) expression = { kind: "percent", of: expression }
    return expression
  }

  #primary(): Expression {
    const token = this.#tokens[this.#position++]
    switch (token?.kind) {
      case "number":
        return { kind: "literal", value: Number(token.text) }
      case "text":
        return { kind: "literal", value: token.text.slice(1, -1).replaceAll("\"\"", "\"") }
      case "error":
        return { kind: "literal", value: parseError(token.text) ?? cellError("ERROR", "") }
      case "reference":
        return { kind: "reference", reference: token.reference }
      case "name":
        return this.#take("(")
          ? { kind: "call", name: token.text.toUpperCase(), args: this.#arguments() }
          : nameExpression(token.text)
      case "mark":
        return token.text === "(" ? this.#parenthesised() : token.text === "{" ? this.#array() : this.#unexpected()
      default:
        return this.#unexpected()
    }
  }

  #parenthesised(): Expression {
    const inner = this.#level(0)
    this.#expect(")")
    return inner
  }

  #arguments(): ReadonlyArray<Expression> {
    if (this.#take(")")) return []
    const args: Array<Expression> = []
    do {
      args.push(
        this.#isAt(",") || this.#isAt(";") || this.#isAt(")") ? { kind: "literal", value: null } : this.#level(0)
      )
    } while (this.#take(",") || this.#take(";"))
    this.#expect(")")
    return args
  }

  #array(): Expression {
    const rows: Array<ReadonlyArray<Expression>> = []
    do {
      const row: Array<Expression> = []
      do row.push(this.#level(0))
      while (this.#take(","))
      rows.push(row)
    } while (this.#take(";"))
    this.#expect("}")
    return { kind: "array", rows }
  }

  #isAt(text: string): boolean {
    const token = this.#tokens[this.#position]
    return token !== undefined && token.kind !== "text" && token.text === text
  }

  #take(text: string): boolean {
    const found = this.#isAt(text)
    if (found) this.#position++
    return found
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#unexpected()
  }

  #unexpected(): never {
    throw new ParseError()
  }
}

const nameExpression = (text: string): Expression => {
  const upper = text.toUpperCase()
  return upper === "TRUE" || upper === "FALSE"
    ? { kind: "literal", value: upper === "TRUE" }
    : { kind: "name", name: text }
}
