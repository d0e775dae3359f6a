import { columnIndex } from "../../../../../Providers/Gsheets/A1.ts"

export type Token =
  | { readonly kind: "number" | "text" | "error" | "name" | "operator" | "mark" | "blank"; readonly text: string }
  | { readonly kind: "reference"; readonly text: string; readonly reference: Reference }

export interface Reference {
  readonly tab: string | undefined
  readonly from: Corner
  readonly to: Corner | undefined
}

interface Corner {
  readonly column: number | undefined
  readonly row: number | undefined
}

const tab = String.raw`(?:(?<tab>'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?`
const cell = String.raw`\$?[A-Za-z]{1,3}\$?[1-9]\d{0,7}`
const columns = String.raw`\$?[A-Za-z]{1,3}`
const rows = String.raw`\$?[1-9]\d{0,7}`
const cells =
  `${cell}:${cell}|${cell}:${columns}|${cell}:${rows}|${cell}|${columns}:${cell}|${columns}:${columns}|${rows}:${rows}`

const grammar = new RegExp(
  [
    String.raw`(?<blank>\s+)`,
    String.raw`(?<text>"(?:[^"]|"")*")`,
    String.raw`(?<error>#(?:REF!|DIV/0!|N/A|NAME\?|VALUE!|NUM!|NULL!|ERROR!))`,
    String.raw`(?<reference>${tab}(?<cells>${cells})(?![\p{L}\p{N}_(.]))`,
    String.raw`(?<number>\d+(?:\.\d*)?(?:E[+-]?\d+)?|\.\d+(?:E[+-]?\d+)?)`,
    String.raw`(?<name>[\p{L}_][\p{L}\p{N}_.]*)`,
    String.raw`(?<operator><>|<=|>=|[-+*/^&=<>%])`,
    String.raw`(?<mark>[(),;])`
  ].join("|"),
  "iuy"
)

const kinds = ["blank", "text", "error", "number", "name", "operator", "mark"] as const

export const tokenize = (source: string): ReadonlyArray<Token> | undefined => {
  const found: Array<Token> = []
  let position = 0
  while (position < source.length) {
    grammar.lastIndex = position
    const match = grammar.exec(source)
    if (match === null) return undefined
    const [text] = match
    const groups = match.groups ?? {}
    const kind = kinds.find((kind) => groups[kind] !== undefined)
    found.push(
      kind === undefined
        ? { kind: "reference", text, reference: parseReference(groups["tab"], groups["cells"] ?? "") }
        : { kind, text }
    )
    position += text.length
  }
  return found
}

const parseReference = (tab: string | undefined, text: string): Reference => {
  const [from = "", to] = text.split(":")
  return {
    tab: tab?.startsWith("'") ? tab.slice(1, -1).replaceAll("''", "'") : tab,
    from: parseCorner(from),
    to: to === undefined ? undefined : parseCorner(to)
  }
}

const parseCorner = (text: string): Corner => {
  const [, column = "", row = ""] = /^\$?([A-Za-z]*)\$?(\d*)$/.exec(text) ?? []
  return {
    column: column === "" ? undefined : columnIndex(column),
    row: row === "" ? undefined : Number(row) - 1
  }
}

export const referencesIn = (formula: string): ReadonlyArray<Reference> =>
  (tokenize(formula.slice(1)) ?? []).flatMap((token) => token.kind === "reference" ? [token.reference] : [])
