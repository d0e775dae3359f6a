import { points } from "./Defaults.ts"
import type { IdGenerator } from "./Document.ts"
import type { Bullet, Content, Paragraph, Tab } from "./Document.ts"
import { asArray, asObject, equal, type JsonObject } from "./Json.ts"
import { countLeadingTabs, dropCharacters } from "./Paragraphs.ts"
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

export const bulletPresets: Readonly<Record<string, ReadonlyArray<Glyph>>> = {
  BULLET_DISC_CIRCLE_SQUARE: symbols("●", "○", "■"),
  BULLET_CHECKBOX: [{ type: "GLYPH_TYPE_UNSPECIFIED" }],
  BULLET_STAR_CIRCLE_SQUARE: symbols("★", "○", "■"),
  NUMBERED_DECIMAL_ALPHA_ROMAN: numbers(["DECIMAL", "ALPHA", "ROMAN"]),
  NUMBERED_DECIMAL_NESTED: numbers(["DECIMAL"], nested)
}

const levelCount = 9

const newList = (glyphs: ReadonlyArray<Glyph>): JsonObject => ({
  listProperties: {
    nestingLevels: Array.from({ length: levelCount }, (_, level) => {
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

const nestingLevels = (list: JsonObject | undefined) => asArray(asObject(list?.["listProperties"])["nestingLevels"])

export interface ListedContent {
  readonly content: Content
  readonly lists: Tab["lists"]
}

export const createBullets = (
  { content, lists }: ListedContent,
  [from, to]: readonly [from: number, to: number],
  glyphs: ReadonlyArray<Glyph>,
  ids: IdGenerator
): ListedContent => {
  const wanted = newList(glyphs)
  const first = paragraphAt(content, from)
  const above = first === undefined ? undefined : paragraphBefore(content, first.path)?.bullet?.listId
  const joins = above !== undefined && equal(nestingLevels(lists[above]), nestingLevels(wanted))
  const listId = joins ? above : ids.next("kix.")
  return {
    lists: joins ? lists : { ...lists, [listId]: wanted },
    content: mapParagraphs(content, [from, to], (paragraph) => addBullet(paragraph, listId, wanted))
  }
}

const addBullet = (paragraph: Paragraph, listId: string, list: JsonObject): Paragraph => {
  const tabs = countLeadingTabs(paragraph)
  const nestingLevel = Math.min(tabs, levelCount - 1)
  const { indentFirstLine = null, indentStart = null } = asObject(nestingLevels(list)[nestingLevel])
  const bullet: Bullet = { listId, nestingLevel, textStyle: {} }
  return { ...dropCharacters(paragraph, tabs), style: { ...paragraph.style, indentFirstLine, indentStart }, bullet }
}
