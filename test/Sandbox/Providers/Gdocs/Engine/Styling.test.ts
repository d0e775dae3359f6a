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

  it("does not store a value that the named style already has", () =>
    assert.deepStrictEqual(
      runsOf(draft(insert(1, "a"), {
        updateTextStyle: {
          range: range(1, 2),
          textStyle: { bold: false, fontSize: { magnitude: 11, unit: "PT" } },
          fields: "bold,fontSize"
        }
      })),
      [["a\n", {}]]
    ))

  it("styles a link, never links a newline, and removes the style with the link", () => {
    const linked = draft(insert(1, "a\nb"), link(1, 4, "https://example.com"))
    const style = { ...linkStyle, link: { url: "https://example.com" } }
    assert.deepStrictEqual(runsOf(linked), [["a", style], ["\n", {}], ["b", style], ["\n", {}]])
    assert.deepStrictEqual(runsOf(after(linked, link(1, 2, undefined))).slice(0, 1), [["a\n", {}]])
  })

  it("styles the bullet of a list item only if it covers the whole item", () => {
    const item = draft(insert(1, "a\nb"), bullets(1, 2))
    assert.deepStrictEqual(paragraphsOf(after(item, bold(1, 3)))[0]?.bullet?.textStyle, { bold: true })
    assert.deepStrictEqual(paragraphsOf(after(item, bold(1, 2)))[0]?.bullet?.textStyle, {})
  })

  const cases: ReadonlyArray<readonly [what: string, refusal: string, request: Request]> = [
    [
      "without a field",
      "400 Invalid requests[0].updateTextStyle: At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)",
      {
        updateTextStyle: { range: range(1, 2), textStyle: { bold: true }, fields: " " }
      }
    ],
    ["with an unknown field", "400 Invalid requests[0].updateTextStyle: Invalid field: size", {
      updateTextStyle: { range: range(1, 2), textStyle: {}, fields: "size" }
    }],
    ["for an empty range", "400 Invalid requests[0].updateTextStyle: The range should not be empty.", bold(1, 1)],
    [
      "beyond the end",
      "400 Invalid requests[0].updateTextStyle: Index 500 must be less than the end index of the referenced segment, 2.",
      bold(500, 501)
    ],
    [
      "with a font that has no name",
      "400 Invalid requests[0].updateTextStyle: The font family must be set when the weighted font family is set.",
      {
        updateTextStyle: {
          range: range(1, 2),
          textStyle: { weightedFontFamily: { weight: 400, fontFamily: "" } },
          fields: "weightedFontFamily"
        }
      }
    ]
  ]
  for (const [what, refusal, request] of cases) {
    it(`is rejected ${what}`, () => assert.strictEqual(errorOf(blank, request), refusal))
  }
})

const aligned = (paragraphStyle: { readonly alignment?: "CENTER" }): Request => ({
  updateParagraphStyle: { range: range(1, 2), paragraphStyle, fields: "alignment" }
})

describe("updateParagraphStyle", () => {
  it("styles every paragraph that the range touches", () =>
    assert.deepStrictEqual(outline(draft(insert(1, "a\nb\nc"), named(2, 4, "HEADING_1"))), [
      "HEADING_1 a",
      "HEADING_1 b",
      "c"
    ]))

  it("adds a heading id, and removes it with the heading style", () => {
    const heading = draft(insert(1, "a"), named(1, 2, "HEADING_1"))
    const id = paragraphsOf(heading)[0]?.style["headingId"]
    assert.match(String(id), /^h\.[0-9a-z]{12}$/)
    assert.strictEqual(paragraphsOf(after(heading, named(1, 2, "HEADING_2")))[0]?.style["headingId"], id)
    assert.deepStrictEqual(paragraphsOf(after(heading, named(1, 2, "NORMAL_TEXT")))[0]?.style, {
      namedStyleType: "NORMAL_TEXT",
      direction: "LEFT_TO_RIGHT"
    })
  })

  it("clears text styles when the named style changes", () =>
    assert.deepStrictEqual(outline(draft(insert(1, "a"), bold(1, 2), named(1, 2, "HEADING_1"))), ["HEADING_1 a"]))

  it("clears a field that is in the mask but not in the style", () => {
    assert.strictEqual(paragraphsOf(draft(aligned({ alignment: "CENTER" })))[0]?.style["alignment"], "CENTER")
    assert.isUndefined(paragraphsOf(draft(aligned({ alignment: "CENTER" }), aligned({})))[0]?.style["alignment"])
  })
})

const lists = (...requests: ReadonlyArray<Request>) =>
  new Set(paragraphsOf(draft(insert(1, "a\nb\nc"), ...requests)).map(({ bullet }) => bullet?.listId)).size

describe("createParagraphBullets", () => {
  it("turns leading tabs into nesting levels", () => {
    const state = draft(insert(1, "a\n\tb\n\t\tc\nd"), bullets(1, 11))
    assert.deepStrictEqual(outline(state), ["* a", "** b", "*** c", "* d"])
    assert.strictEqual(new Set(paragraphsOf(state).map(({ bullet }) => bullet?.listId)).size, 1)
  })

  it("indents items by their level", () =>
    assert.deepStrictEqual(paragraphsOf(draft(insert(1, "\ta"), bullets(1, 2)))[0]?.style, {
      namedStyleType: "NORMAL_TEXT",
      direction: "LEFT_TO_RIGHT",
      indentFirstLine: { magnitude: 54, unit: "PT" },
      indentStart: { magnitude: 72, unit: "PT" }
    }))

  it("joins the list above if it has the same glyphs", () => {
    assert.strictEqual(lists(bullets(1, 4), bullets(5, 6)), 1)
    assert.strictEqual(lists(bullets(1, 4), bullets(5, 6, "NUMBERED_DECIMAL_ALPHA_ROMAN")), 2)
    assert.strictEqual(lists(bullets(3, 6), bullets(1, 2)), 2)
  })

  it("is rejected without a preset", () =>
    assert.strictEqual(
      errorOf(blank, {
        createParagraphBullets: { range: range(1, 2), bulletPreset: "BULLET_GLYPH_PRESET_UNSPECIFIED" }
      }),
      "400 Invalid requests[0].createParagraphBullets: A bullet preset must be specified."
    ))
})

describe("deleteParagraphBullets", () => {
  it("keeps the nesting as an indent", () => {
    const state = draft(insert(1, "a\n\tb"), bullets(1, 4), { deleteParagraphBullets: { range: range(1, 4) } })
    assert.deepStrictEqual(outline(state), ["a", "b"])
    assert.deepStrictEqual(paragraphsOf(state).map(({ style }) => style["indentStart"]), [
      undefined,
      { magnitude: 36, unit: "PT" }
    ])
  })

  it("includes the item above if the range starts at its newline", () =>
    assert.deepStrictEqual(
      outline(draft(insert(1, "a\nb"), bullets(1, 4), { deleteParagraphBullets: { range: range(2, 4) } })),
      ["a", "b"]
    ))
})
