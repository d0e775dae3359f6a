import type { Request as RequestSchema } from "../Generated.ts"
import { listIndent, quoteIndent } from "../Reading/ParagraphStyle.ts"
import type { ListKind, Marks, ParagraphStyle } from "./NewBlocks.ts"

export type Request = typeof RequestSchema.Type

export interface Scope {
  readonly tabId?: string
  readonly inTable: boolean
}

export interface Span {
  readonly from: number
  readonly to: number
}

const locationAt = ({ tabId }: Scope, index: number) => ({ ...(tabId === undefined ? {} : { tabId }), index })

const rangeOver = ({ tabId }: Scope, { from, to }: Span) => ({
  ...(tabId === undefined ? {} : { tabId }),
  startIndex: from,
  endIndex: to
})

export const insertText = (scope: Scope, index: number, text: string): Request => ({
  insertText: { location: locationAt(scope, index), text }
})

export const insertTable = (scope: Scope, index: number, rows: number, columns: number): Request => ({
  insertTable: { location: locationAt(scope, index), rows, columns }
})

export const deleteBullets = (scope: Scope, span: Span): Request => ({
  deleteParagraphBullets: { range: rangeOver(scope, span) }
})

const presets = {
  bullet: "BULLET_DISC_CIRCLE_SQUARE",
  checkbox: "BULLET_CHECKBOX",
  number: "NUMBERED_DECIMAL_ALPHA_ROMAN",
  otherNumber: "NUMBERED_DECIMAL_NESTED"
} as const

export const createBullets = (scope: Scope, span: Span, list: ListKind | "otherNumber"): Request => ({
  createParagraphBullets: { range: rangeOver(scope, span), bulletPreset: presets[list] }
})

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

export const setParagraphStyle = (scope: Scope, span: Span, style: ParagraphStyle, text: string): Request => {
  const start = style.quoteLevels * quoteIndent + style.listLevels * listIndent
  return {
    updateParagraphStyle: {
      range: rangeOver(scope, span),
      paragraphStyle: {
        namedStyleType: style.namedStyle,
        direction: style.kind === "code" ? "LEFT_TO_RIGHT" : directionOf(text),
        ...(style.alignment === undefined ? {} : { alignment: style.alignment }),
        ...(start === 0 ? {} : { indentStart: points(start), indentFirstLine: points(start) }),
        ...(style.quoteLevels === 0 ? {} : { indentEnd: points(style.quoteLevels * quoteIndent) }),
        ...(style.kind === "code" ? { shading: { backgroundColor: grey(0.96) } } : {}),
        ...(style.kind === "rule" ? { borderBottom: rule } : {})
      },
      fields: [...paragraphFields, ...(scope.inTable ? [] : ["pageBreakBefore"])].join(",")
    }
  }
}

export const resetTextStyle = (scope: Scope, span: Span, bold = false): Request => ({
  updateTextStyle: { range: rangeOver(scope, span), textStyle: bold ? { bold } : {}, fields: "*" }
})

const codeFont = { fontFamily: "Courier New", weight: 400 }

export const applyMarks = (
  scope: Scope,
  span: Span,
  { baseline, bold, code, italic, link, strikethrough }: Marks
): Request => {
  const textStyle = {
    ...(bold === undefined ? {} : { bold }),
    ...(italic === undefined ? {} : { italic }),
    ...(strikethrough === undefined ? {} : { strikethrough }),
    ...(code === undefined ? {} : { weightedFontFamily: codeFont }),
    ...(baseline === undefined ? {} : { baselineOffset: baseline }),
    ...(link === undefined ? {} : { link })
  }
  return { updateTextStyle: { range: rangeOver(scope, span), textStyle, fields: Object.keys(textStyle).join(",") } }
}

const firstLetter = /\p{L}/u
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

export const directionOf = (text: string): "LEFT_TO_RIGHT" | "RIGHT_TO_LEFT" =>
  rightToLeft.test(firstLetter.exec(text)?.[0] ?? "") ? "RIGHT_TO_LEFT" : "LEFT_TO_RIGHT"
