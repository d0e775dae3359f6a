import { Result } from "effect"
import { lacks } from "../../../Google/GoogleError.ts"
import { refuse } from "../Errors.ts"
import { mapBetween } from "../Inlines.ts"
import { asString } from "../Json.ts"
import { bulletPresets, createBullets } from "../Lists.ts"
import { inlinesWidth } from "../Measure.ts"
import { removeBullet } from "../Paragraphs.ts"
import { findRange } from "../Ranges.ts"
import { setContent, updateTab } from "../Segments.ts"
import {
  assignFields,
  inheritedTextStyle,
  paragraphStyleFields,
  parseUpdateMask,
  restyleInline,
  restyleParagraph,
  textStyleFields
} from "../Styles.ts"
import { mapParagraphs } from "../Tree.ts"
import { applied, type RequestHandlers } from "./Request.ts"

export const styleRequests = {
  updateTextStyle: (document, { fields, range, textStyle = {} }) =>
    Result.gen(function*() {
      const paths = yield* parseUpdateMask(fields, textStyleFields)
      const found = yield* findRange(document, range)
      const update = { style: { ...textStyle }, paths }
      const content = mapParagraphs(found.content, [found.from, found.to], (paragraph, start) => {
        const inherited = inheritedTextStyle(found.tab, asString(paragraph.style["namedStyleType"]))
        const change = restyleInline(update, inherited)
        const inlines = mapBetween(paragraph.inlines, found.from - start, found.to - start, change)
        const { bullet } = paragraph
        const whole = found.from <= start && start + inlinesWidth(paragraph.inlines) <= found.to
        return bullet === undefined || !whole ? { ...paragraph, inlines } : {
          ...paragraph,
          inlines,
          bullet: { ...bullet, textStyle: assignFields(bullet.textStyle, update.style, paths) }
        }
      })
      return applied(setContent(document, found, content))
    }),

  updateParagraphStyle: (document, { fields, paragraphStyle = {}, range }, ids) =>
    Result.gen(function*() {
      const paths = yield* parseUpdateMask(fields, paragraphStyleFields)
      const found = yield* findRange(document, range)
      const content = mapParagraphs(found.content, [found.from, found.to], (paragraph) =>
        restyleParagraph(paragraph, { ...paragraphStyle }, paths, ids))
      return applied(setContent(document, found, content))
    }),

  createParagraphBullets: (document, { bulletPreset = "", range }, ids) =>
    Result.gen(function*() {
      if (bulletPreset === "") return yield* refuse("A bullet preset must be specified.")
      const glyphs = bulletPresets[bulletPreset]
      if (glyphs === undefined) return yield* lacks(`the bullet preset ${bulletPreset}`)
      const found = yield* findRange(document, range)
      const bulleted = createBullets(
        { content: found.content, lists: found.tab.lists },
        [found.from, found.to],
        glyphs,
        ids
      )
      const withLists = updateTab(document, found.tab.tabId, (tab) => ({ ...tab, lists: bulleted.lists }))
      return applied(setContent(withLists, found, bulleted.content))
    }),

  deleteParagraphBullets: (document, { range }) =>
    Result.map(
      findRange(document, range),
      (found) =>
        applied(setContent(document, found, mapParagraphs(found.content, [found.from, found.to], removeBullet)))
    )
} satisfies RequestHandlers
