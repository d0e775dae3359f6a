import type { Request as RequestSchema } from "../Generated.ts"
import { listIndent, quoteIndent } from "../Read/Looks.ts"
import type { ListKind, Look, Marks } from "./Blocks.ts"
import { directionOf } from "./Text.ts"

export type Request = typeof RequestSchema.Type

/** The part of a document that is written to. */
export interface Scope {
  /** Absent only where the document is new and has one tab. */
  readonly tabId?: string
  /** Some paragraph styles are refused in table cells. */
  readonly inTable: boolean
}

export interface Span {
  readonly from: number
  readonly to: number
}

const at = ({ tabId }: Scope, index: number) => ({ ...(tabId === undefined ? {} : { tabId }), index })

const over = ({ tabId }: Scope, { from, to }: Span) => ({
  ...(tabId === undefined ? {} : { tabId }),
  startIndex: from,
  endIndex: to
})

export const insertText = (scope: Scope, index: number, text: string): Request => ({
  insertText: { location: at(scope, index), text }
})

export const insertTable = (scope: Scope, index: number, rows: number, columns: number): Request => ({
  insertTable: { location: at(scope, index), rows, columns }
})

export const deleteBullets = (scope: Scope, span: Span): Request => ({
  deleteParagraphBullets: { range: over(scope, span) }
})

/** No preset has two neighbours that look the same on the first level but these two. */
const presets = {
  bullet: "BULLET_DISC_CIRCLE_SQUARE",
  checkbox: "BULLET_CHECKBOX",
  number: "NUMBERED_DECIMAL_ALPHA_ROMAN",
  otherNumber: "NUMBERED_DECIMAL_NESTED"
} as const

export const createBullets = (scope: Scope, span: Span, list: ListKind | "otherNumber"): Request => ({
  createParagraphBullets: { range: over(scope, span), bulletPreset: presets[list] }
})

/** Every paragraph style that a neighbour could have passed on. */
const paragraphFields = [
  "namedStyleType",
  "direction",
  "alignment",
  "indentStart",
  "indentFirstLine",
  "indentEnd",
  "lineSpacing",
  "spaceAbove",
  "spaceBelow",
  "spacingMode",
  "borderBetween",
  "borderTop",
  "borderBottom",
  "borderLeft",
  "borderRight",
  "shading",
  "keepLinesTogether",
  "keepWithNext",
  "avoidWidowAndOrphan"
]

const points = (magnitude: number) => ({ magnitude, unit: "PT" as const })

const grey = (level: number) => ({ color: { rgbColor: { red: level, green: level, blue: level } } })

const rule = { color: grey(0.6), width: points(1), padding: points(1), dashStyle: "SOLID" as const }

/** Sets a paragraph's style and resets all that it does not have. */
export const setParagraph = (scope: Scope, span: Span, look: Look, text: string): Request => {
  const start = look.quotes * quoteIndent + look.items * listIndent
  return {
    updateParagraphStyle: {
      range: over(scope, span),
      paragraphStyle: {
        namedStyleType: look.named,
        direction: look.kind === "code" ? "LEFT_TO_RIGHT" : directionOf(text),
        ...(look.align === undefined ? {} : { alignment: look.align }),
        ...(start === 0 ? {} : { indentStart: points(start), indentFirstLine: points(start) }),
        ...(look.quotes === 0 ? {} : { indentEnd: points(look.quotes * quoteIndent) }),
        ...(look.kind === "code" ? { shading: { backgroundColor: grey(0.96) } } : {}),
        ...(look.kind === "rule" ? { borderBottom: rule } : {})
      },
      fields: [...paragraphFields, ...(scope.inTable ? [] : ["pageBreakBefore"])].join(",")
    }
  }
}

/** Takes every text style away, or leaves only bold. */
export const resetText = (scope: Scope, span: Span, bold = false): Request => ({
  updateTextStyle: { range: over(scope, span), textStyle: bold ? { bold } : {}, fields: "*" }
})

const codeFont = { fontFamily: "Courier New", weight: 400 }

export const markText = (scope: Scope, span: Span, { bold, code, italic, link, strikethrough }: Marks): Request => {
  const textStyle = {
    ...(bold === undefined ? {} : { bold }),
    ...(italic === undefined ? {} : { italic }),
    ...(strikethrough === undefined ? {} : { strikethrough }),
    ...(code === undefined ? {} : { weightedFontFamily: codeFont }),
    ...(link === undefined ? {} : { link })
  }
  return { updateTextStyle: { range: over(scope, span), textStyle, fields: Object.keys(textStyle).join(",") } }
}
