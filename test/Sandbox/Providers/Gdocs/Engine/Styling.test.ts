import { assert, describe, it } from "@effect/vitest"
import { isTextRun } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { Request } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import {
  after,
  blank,
  bold,
  bullets,
  draft,
  errorOf,
  insert,
  named,
  outline,
  paragraphsOf,
  range
} from "./DocumentFixture.ts"

const runsOf = (state: typeof blank) =>
  paragraphsOf(state).flatMap(({ inlines }) => inlines.filter(isTextRun).map(({ style, text }) => [text, style]))

const link = (startIndex: number, endIndex: number, url: string | undefined): Request => ({
  updateTextStyle: {
    range: range(startIndex, endIndex),
    textStyle: url === undefined ? {} : { link: { url } },
    fields: "link"
  }
})

const style = (textStyle: object, fields: string): Request => ({
  updateTextStyle: { range: range(1, 2), textStyle, fields }
})

const linkStyle = {
  foregroundColor: { color: { rgbColor: { red: 0.06666667, green: 0.33333334, blue: 0.8 } } },
  underline: true
}

describe("updateTextStyle", () => {
  it("sets the fields of the mask, and clears those that the style lacks", () => {
    const styled = draft(insert(1, "abc"), {
      updateTextStyle: { range: range(2, 3), textStyle: { bold: true, italic: true }, fields: "bold,italic" }
    })
    assert.deepStrictEqual(runsOf(styled), [["a", {}], ["b", { bold: true, italic: true }], ["c\n", {}]])
    const cleared = after(styled, {
      updateTextStyle: { range: range(1, 4), textStyle: { italic: true }, fields: "bold" }
    })
    assert.deepStrictEqual(runsOf(cleared), [["a", {}], ["b", { italic: true }], ["c\n", {}]])
    assert.deepStrictEqual(
      runsOf(after(styled, { updateTextStyle: { range: range(1, 4), textStyle: {}, fields: "*" } })),
      [
        ["abc\n", {}]
      ]
    )
  })

  it("does not store a value that the named style already has", () => {
    const textStyle = { bold: false, fontSize: { magnitude: 11, unit: "PT" as const } }
    const same = draft(insert(1, "a"), {
      updateTextStyle: { range: range(1, 2), textStyle, fields: "bold,fontSize" }
    })
    assert.deepStrictEqual(runsOf(same), [["a\n", {}]])
  })

  it("styles a link, never links a newline, and removes the style with the link", () => {
    const linked = draft(insert(1, "a\nb"), link(1, 4, "https://example.com"))
    const linkedStyle = { ...linkStyle, link: { url: "https://example.com" } }
    assert.deepStrictEqual(runsOf(linked), [["a", linkedStyle], ["\n", {}], ["b", linkedStyle], ["\n", {}]])
    assert.deepStrictEqual(runsOf(after(linked, link(1, 2, undefined))).slice(0, 1), [["a\n", {}]])
  })

  it("styles the bullet of a list item only if it covers the whole item", () => {
    const item = draft(insert(1, "a\nb"), bullets(1, 2))
    assert.deepStrictEqual(paragraphsOf(after(item, bold(1, 3)))[0]?.bullet?.textStyle, { bold: true })
    assert.deepStrictEqual(paragraphsOf(after(item, bold(1, 2)))[0]?.bullet?.textStyle, {})
  })

  it.each<[refusal: string, request: Request]>([
    ["At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)", style({ bold: true }, " ")],
    ["Invalid field: size", style({}, "size")],
    ["The range should not be empty.", bold(1, 1)],
    ["Index 500 must be less than the end index of the referenced segment, 2.", bold(500, 501)],
    [
      "The font family must be set when the weighted font family is set.",
      style({ weightedFontFamily: { weight: 400, fontFamily: "" } }, "weightedFontFamily")
    ]
  ])(
    "is rejected: %s",
    (refusal, request) =>
      assert.strictEqual(errorOf(blank, request), `400 Invalid requests[0].updateTextStyle: ${refusal}`)
  )
})

const aligned = (paragraphStyle: { readonly alignment?: "CENTER" }): Request => ({
  updateParagraphStyle: { range: range(1, 2), paragraphStyle, fields: "alignment" }
})

const list = (...requests: ReadonlyArray<Request>) => draft(insert(1, "a\n\tb\n\t\tc\nd"), ...requests)
const listIds = (state: typeof blank) => new Set(paragraphsOf(state).map(({ bullet }) => bullet?.listId)).size

describe("updateParagraphStyle", () => {
  it("styles every paragraph that the range touches, and clears text styles", () =>
    assert.deepStrictEqual(outline(draft(insert(1, "a\nb\nc"), bold(1, 2), named(2, 4, "HEADING_1"))), [
      "HEADING_1 a",
      "HEADING_1 b",
      "c"
    ]))

  it("adds a heading id, and removes it with the heading style", () => {
    const heading = draft(insert(1, "a"), named(1, 2, "HEADING_1"))
    const id = paragraphsOf(heading)[0]?.style["headingId"]
    assert.match(String(id), /^h\.[0-9a-z]{12}$/)
    assert.strictEqual(paragraphsOf(after(heading, named(1, 2, "HEADING_2")))[0]?.style["headingId"], id)
    assert.notProperty(paragraphsOf(after(heading, named(1, 2, "NORMAL_TEXT")))[0]?.style, "headingId")
  })

  it("clears a field that is in the mask but not in the style", () => {
    assert.strictEqual(paragraphsOf(draft(aligned({ alignment: "CENTER" })))[0]?.style["alignment"], "CENTER")
    assert.isUndefined(paragraphsOf(draft(aligned({ alignment: "CENTER" }), aligned({})))[0]?.style["alignment"])
  })
})

describe("createParagraphBullets", () => {
  it("turns leading tabs into nesting levels, which are indented", () => {
    const state = list(bullets(1, 11))
    assert.deepStrictEqual(outline(state), ["* a", "** b", "*** c", "* d"])
    assert.strictEqual(listIds(state), 1)
    assert.deepInclude(paragraphsOf(state)[1]?.style, {
      indentFirstLine: { magnitude: 54, unit: "PT" },
      indentStart: { magnitude: 72, unit: "PT" }
    })
  })

  it("joins the list above if it has the same glyphs", () => {
    const three = draft(insert(1, "a\nb\nc"), bullets(1, 4))
    assert.strictEqual(listIds(after(three, bullets(5, 6))), 1)
    assert.strictEqual(listIds(after(three, bullets(5, 6, "NUMBERED_DECIMAL_ALPHA_ROMAN"))), 2)
  })
})

describe("deleteParagraphBullets", () => {
  it("keeps the nesting as an indent, and includes the item above a range that starts at its newline", () => {
    const plain = draft(insert(1, "a\n\tb"), bullets(1, 4), { deleteParagraphBullets: { range: range(2, 4) } })
    assert.deepStrictEqual(outline(plain), ["a", "b"])
    const indents = paragraphsOf(plain).map(({ style }) => style["indentStart"])
    assert.deepStrictEqual(indents, [undefined, { magnitude: 36, unit: "PT" }])
  })
})
