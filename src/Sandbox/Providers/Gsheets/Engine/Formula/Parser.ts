import { notSimulated } from "../../../Google/GoogleError.ts"
import { cellError, parseError, type Value } from "../Value.ts"
import { type Reference, type Token, tokenize } from "./Tokenizer.ts"

export type Expression =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "call"; readonly name: string; readonly args: ReadonlyArray<Expression> }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }

const operatorsByPrecedence = [["=", "<>", "<", "<=", ">", ">="], ["&"], ["+", "-"], ["*", "/"], ["^"]]

const number = (value: number): Expression => ({ kind: "literal", value })

/** Throws for what the sandbox lacks, such as arrays. */
export const parseFormula = (formula: string): Expression => {
  const tokens = tokenize(formula.slice(1))?.filter(({ kind }) => kind !== "blank") ?? []
  let position = 0

  const unexpected = () => notSimulated(`the formula ${formula}`)

  const take = (texts: ReadonlyArray<string>): string | undefined => {
    const token = tokens[position]
    if (token === undefined || token.kind === "text" || !texts.includes(token.text)) return undefined
    position++
    return token.text
  }

  const expect = (text: string): void => {
    if (take([text]) === undefined) throw unexpected()
  }

  const level = (depth: number): Expression => {
    const operators = operatorsByPrecedence[depth]
    if (operators === undefined) return signed()
    let left = level(depth + 1)
    for (let operator = take(operators); operator !== undefined; operator = take(operators)) {
      left = { kind: "binary", operator, left, right: level(depth + 1) }
    }
    return left
  }

  const signed = (): Expression => {
    if (take(["-"]) !== undefined) return { kind: "binary", operator: "-", left: number(0), right: signed() }
    if (take(["+"]) !== undefined) return signed()
    let expression = primary(tokens[position++])
    while (take(["%"]) !== undefined) {
      expression = { kind: "binary", operator: "/", left: expression, right: number(100) }
    }
    return expression
  }

  const primary = (token: Token | undefined): Expression => {
    switch (token?.kind) {
      case "number":
        return number(Number(token.text))
      case "text":
        return { kind: "literal", value: token.text.slice(1, -1).replaceAll("\"\"", "\"") }
      case "error":
        return { kind: "literal", value: parseError(token.text) }
      case "reference":
        return { kind: "reference", reference: token.reference }
      case "name":
        return take(["("]) === undefined
          ? { kind: "literal", value: named(token.text) }
          : { kind: "call", name: token.text.toUpperCase(), args: callArguments() }
      default: {
        if (token?.text !== "(") throw unexpected()
        const inner = level(0)
        expect(")")
        return inner
      }
    }
  }

  const callArguments = (): ReadonlyArray<Expression> => {
    const args: Array<Expression> = []
    if (take([")"]) !== undefined) return args
    do args.push(level(0))
    while (take([",", ";"]) !== undefined)
    expect(")")
    return args
  }

  const whole = level(0)
  if (position < tokens.length) throw unexpected()
  return whole
}

/** The sandbox has no named ranges. */
const named = (text: string): Value =>
  /^(?:true|false)$/i.test(text) ? /^t/i.test(text) : cellError("NAME", `Unknown range name: '${text}'.`)
