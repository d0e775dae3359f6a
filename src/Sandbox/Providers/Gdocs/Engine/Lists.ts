import type { Ids } from "./Ids.ts"
import { equal, items, props } from "./Json.ts"
import { dropLeading, leadingTabs } from "./Paragraphs.ts"
import type { Bullet, Content, Paragraph, Props, Tab } from "./State.ts"
import { mapParagraphs, paragraphAt, paragraphBefore } from "./Tree.ts"

interface Glyph {
  readonly symbol?: string
  readonly type?: string
  readonly format?: (level: number) => string
}

const symbols = (...names: ReadonlyArray<string>): ReadonlyArray<Glyph> =>
  names.map((symbol) => ({ symbol, format: (level) => `%${level}` }))

const numbers = (
  types: ReadonlyArray<string>,
  format: (level: number) => string = (level) => `%${level}.`
): ReadonlyArray<Glyph> => types.map((type) => ({ type, format }))

const nested = (level: number) => Array.from({ length: level + 1 }, (_, each) => `%${each}.`).join("")

/** `CreateParagraphBulletsRequest.bulletPreset`: the glyphs of the first levels, which the deeper ones repeat. */
export const presets: Readonly<Record<string, ReadonlyArray<Glyph>>> = {
  BULLET_DISC_CIRCLE_SQUARE: symbols("●", "○", "■"),
  BULLET_DIAMONDX_ARROW3D_SQUARE: symbols("❖", "➢", "■"),
  BULLET_CHECKBOX: [{ type: "GLYPH_TYPE_UNSPECIFIED" }],
  BULLET_ARROW_DIAMOND_DISC: symbols("➔", "◆", "●"),
  BULLET_STAR_CIRCLE_SQUARE: symbols("★", "○", "■"),
  BULLET_ARROW3D_CIRCLE_SQUARE: symbols("➢", "○", "■"),
  BULLET_LEFTTRIANGLE_DIAMOND_DISC: symbols("◄", "◆", "●"),
  BULLET_DIAMONDX_HOLLOWDIAMOND_SQUARE: symbols("❖", "◇", "■"),
  BULLET_DIAMOND_CIRCLE_SQUARE: symbols("◆", "○", "■"),
  NUMBERED_DECIMAL_ALPHA_ROMAN: numbers(["DECIMAL", "ALPHA", "ROMAN"]),
  NUMBERED_DECIMAL_ALPHA_ROMAN_PARENS: numbers(["DECIMAL", "ALPHA", "ROMAN"], (level) => `%${level})`),
  NUMBERED_DECIMAL_NESTED: numbers(["DECIMAL"], nested),
  NUMBERED_UPPERALPHA_ALPHA_ROMAN: numbers(["UPPER_ALPHA", "ALPHA", "ROMAN"]),
  NUMBERED_UPPERROMAN_UPPERALPHA_DECIMAL: numbers(["UPPER_ROMAN", "UPPER_ALPHA", "DECIMAL"]),
  NUMBERED_ZERODECIMAL_ALPHA_ROMAN: numbers(["ZERO_DECIMAL", "ALPHA", "ROMAN"])
}

/** Nesting levels a list has (`ListProperties`). */
const levels = 9

const points = (magnitude: number) => ({ magnitude, unit: "PT" })

const listOf = (glyphs: ReadonlyArray<Glyph>): Props => ({
  listProperties: {
    nestingLevels: Array.from({ length: levels }, (_, level) => {
      const { format, symbol, type } = glyphs[level % glyphs.length] ?? {}
      return {
        bulletAlignment: type === "ROMAN" ? "END" : "START",
        ...(type === undefined ? {} : { glyphType: type }),
        ...(symbol === undefined ? {} : { glyphSymbol: symbol }),
        ...(format === undefined ? {} : { glyphFormat: format(level) }),
        indentFirstLine: points(18 + 36 * level),
        indentStart: points(36 + 36 * level),
        textStyle: { underline: false },
        startNumber: 1
      }
    })
  }
})

const nestingLevels = (list: Props | undefined) => items(props(list?.["listProperties"])["nestingLevels"])

export interface Bulleted {
  readonly content: Content
  readonly lists: Tab["lists"]
}

/**
 * Makes every paragraph in `[from, to)` an item of one list: of the list that ends just above, where it has the same
 * glyphs. Leading tabs become nesting levels and go.
 */
export const createBullets = (
  { content, lists }: Bulleted,
  [from, to]: readonly [from: number, to: number],
  glyphs: ReadonlyArray<Glyph>,
  ids: Ids
): Bulleted => {
  const wanted = listOf(glyphs)
  const first = paragraphAt(content, from)
  const above = first === undefined ? undefined : paragraphBefore(content, first.path)?.bullet?.listId
  const joins = above !== undefined && equal(nestingLevels(lists[above]), nestingLevels(wanted))
  const listId = joins ? above : ids.next("kix.")
  return {
    lists: joins ? lists : { ...lists, [listId]: wanted },
    content: mapParagraphs(content, [from, to], (paragraph) => bulleted(paragraph, listId, wanted))
  }
}

const bulleted = (paragraph: Paragraph, listId: string, list: Props): Paragraph => {
  const tabs = leadingTabs(paragraph)
  const nestingLevel = Math.min(tabs, levels - 1)
  const { indentFirstLine = null, indentStart = null } = props(nestingLevels(list)[nestingLevel])
  const bullet: Bullet = { listId, nestingLevel, textStyle: {} }
  return { ...dropLeading(paragraph, tabs), style: { ...paragraph.style, indentFirstLine, indentStart }, bullet }
}
