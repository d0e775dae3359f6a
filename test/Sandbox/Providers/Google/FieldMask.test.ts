import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { selectFields } from "../../../../src/Sandbox/Providers/Google/FieldMask.ts"

const value = {
  spreadsheetId: "1",
  properties: { title: "Leads", locale: "en_GB" },
  sheets: [{ properties: { sheetId: 0, title: "A" }, data: [1] }, { properties: { sheetId: 7, title: "B" } }]
}

describe("A field mask", () => {
  for (
    const [fields, kept] of [
      ["spreadsheetId", { spreadsheetId: "1" }],
      ["properties/title", { properties: { title: "Leads" } }],
      ["properties.title,spreadsheetId", { spreadsheetId: "1", properties: { title: "Leads" } }],
      ["sheets.properties(sheetId,title)", {
        sheets: [{ properties: { sheetId: 0, title: "A" } }, { properties: { sheetId: 7, title: "B" } }]
      }],
      ["sheets(properties/title)", { sheets: [{ properties: { title: "A" } }, { properties: { title: "B" } }] }],
      ["sheets(data)", { sheets: [{ data: [1] }, {}] }],
      ["properties(title),properties/locale", { properties: { title: "Leads", locale: "en_GB" } }],
      ["*", value],
      ["properties/*", { properties: { title: "Leads", locale: "en_GB" } }],
      ["nothing", {}]
    ] as const
  ) {
    it.effect(`keeps ${fields}`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* selectFields(fields, value), kept)
      }))
  }

  for (const fields of ["", ",", "a(", "a(b", "a)", "a//b", "a(b)c", "a,,b"]) {
    it.effect(`refuses ${JSON.stringify(fields)} with Google's message`, () =>
      Effect.gen(function*() {
        const { body, code } = yield* Effect.flip(selectFields(fields, value))
        assert.deepStrictEqual([code, body.error.message], [400, "Request contains an invalid argument."])
      }))
  }
})
