import { Result } from "effect"
import { done, type Handlers } from "./Handler.ts"
import { mapBetween } from "./Inlines.ts"
import { text } from "./Json.ts"
import { createBullets, presets } from "./Lists.ts"
import { widthOfInlines } from "./Measure.ts"
import { withoutBullet } from "./Paragraphs.ts"
import { findRange } from "./Ranges.ts"
import { refuse } from "./Refusal.ts"
import { setContent, updateTab } from "./Segments.ts"
import {
  assign,
  inheritedTextStyle,
  paragraphStyleFields,
  readMask,
  restyle,
  restyleParagraph,
  textStyleFields
} from "./Styles.ts"
import { mapParagraphs } from "./Tree.ts"

/** What changes the look of text and paragraphs. */
export const styleRequests = {
  updateTextStyle: (state, { fields, range, textStyle = {} }, { where }) =>
    Result.gen(function*() {
      const paths = yield* readMask(where, fields, textStyleFields)
      const font = textStyle.weightedFontFamily
      if (font !== undefined && (font.fontFamily ?? "") === "") {
        return yield* refuse(where, "The font family must be set when the weighted font family is set.")
      }
      const found = yield* findRange(where, state, range)
      const update = { style: { ...textStyle }, paths }
      const content = mapParagraphs(found.content, [found.from, found.to], (paragraph, start) => {
        const inherited = inheritedTextStyle(found.tab, text(paragraph.style["namedStyleType"]))
        const change = restyle(update, inherited)
        const inlines = mapBetween(paragraph.inlines, found.from - start, found.to - start, change)
        const { bullet } = paragraph
        const whole = found.from <= start && start + widthOfInlines(paragraph.inlines) <= found.to
        return bullet === undefined || !whole ? { ...paragraph, inlines } : {
          ...paragraph,
          inlines,
          bullet: { ...bullet, textStyle: assign(bullet.textStyle, update.style, paths) }
        }
      })
      return done(setContent(state, found, content))
    }),

  updateParagraphStyle: (state, { fields, paragraphStyle = {}, range }, { ids, where }) =>
    Result.gen(function*() {
      const paths = yield* readMask(where, fields, paragraphStyleFields)
      const found = yield* findRange(where, state, range)
      const content = mapParagraphs(found.content, [found.from, found.to], (paragraph) =>
        restyleParagraph(paragraph, { ...paragraphStyle }, paths, ids))
      return done(setContent(state, found, content))
    }),

  createParagraphBullets: (state, { bulletPreset = "", range }, { ids, where }) =>
    Result.gen(function*() {
      const glyphs = presets[bulletPreset]
      if (glyphs === undefined) return yield* refuse(where, "A bullet preset must be specified.")
      const found = yield* findRange(where, state, range)
      const made = createBullets(
        { content: found.content, lists: found.tab.lists },
        [found.from, found.to],
        glyphs,
        ids
      )
      const listed = updateTab(state, found.tab.tabId, (tab) => ({ ...tab, lists: made.lists }))
      return done(setContent(listed, found, made.content))
    }),

  deleteParagraphBullets: (state, { range }, { where }) =>
    Result.map(
      findRange(where, state, range),
      (found) => done(setContent(state, found, mapParagraphs(found.content, [found.from, found.to], withoutBullet)))
    )
} satisfies Handlers
