import { Option } from "effect"

export type MetricExpression =
  | { readonly _tag: "Number"; readonly value: number }
  | { readonly _tag: "Metric"; readonly name: string }
  | {
    readonly _tag: "Operation"
    readonly operator: string
    readonly left: MetricExpression
    readonly right: MetricExpression
  }

export const parseExpression = (text: string): Option.Option<MetricExpression> => {
  const tokens = text.match(/\d+(?:\.\d+)?|[A-Za-z][\w:]*|\S/g) ?? []
  let position = 0

  const chain =
    (operators: string, operand: () => MetricExpression | undefined) => (): MetricExpression | undefined => {
      let left = operand()
      for (let operator = tokens[position]; left !== undefined && operator !== undefined; operator = tokens[position]) {
        if (!operators.includes(operator)) break
        position++
        const right = operand()
        left = right === undefined ? undefined : { _tag: "Operation", operator, left, right }
      }
      return left
    }

  const operand = (): MetricExpression | undefined => {
    const token = tokens[position++]
    if (token === "(") {
      const inner = sum()
      return tokens[position++] === ")" ? inner : undefined
    }
    if (token === undefined || !/^\w/.test(token)) return undefined
    return /^\d/.test(token) ? { _tag: "Number", value: Number(token) } : { _tag: "Metric", name: token }
  }

  const sum = chain("+-", chain("*/", operand))
  const parsed = sum()
  return position === tokens.length ? Option.fromUndefinedOr(parsed) : Option.none()
}

export const metricNames = (expression: MetricExpression): ReadonlyArray<string> => {
  switch (expression._tag) {
    case "Number":
      return []
    case "Metric":
      return [expression.name]
    case "Operation":
      return [...metricNames(expression.left), ...metricNames(expression.right)]
  }
}

export const evaluate = (expression: MetricExpression, valueOf: (metric: string) => number): number => {
  switch (expression._tag) {
    case "Number":
      return expression.value
    case "Metric":
      return valueOf(expression.name)
    case "Operation": {
      const left = evaluate(expression.left, valueOf)
      const right = evaluate(expression.right, valueOf)
      switch (expression.operator) {
        case "+":
          return left + right
        case "-":
          return left - right
        case "*":
          return left * right
        default:
          return right === 0 ? 0 : left / right
      }
    }
  }
}
