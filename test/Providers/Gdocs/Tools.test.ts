import { assert, describe, it } from "@effect/vitest"
import { jsonSchemaOf } from "../../../src/Providers/Catalog/JsonSchema.ts"
import { docsTools } from "../../../src/Providers/Gdocs/Tools.ts"
import { findDisagreements } from "../../support/InputSchema.ts"

const document = "1fLfF7Mx-Vt_ZZSYJ3ksfEIcH9gEV5Fnat4tPewazyug"
const address = `https://docs.google.com/document/d/${document}/edit?tab=t.1`

const valid: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  docs_read: [
    { document },
    { document: address, tab: "*", max_chars: 1000, format: "text", suggestions: "MARK" },
    { document, tab: "", start_index: 7, max_chars: 200_000, format: "" }
  ],
  docs_create: [{ title: "T" }, { title: "T", text: "# 🚀" }, { title: "T", text: "" }],
  docs_append: [
    { document, text: "x" },
    { document, text: "x", format: "plain", separator: "none", tab: "Main" },
    { document, text: "x", separator: "paragraph" }
  ],
  docs_replace_text: [
    { document, find: "a", replace: "" },
    { document, find: "a", replace: "b", match_case: false, tab: "t.0", expected_count: 2 }
  ],
  docs_insert: [
    { document, text: "x", heading: "A", occurrence: 2, placement: "section_end", format: "markdown" },
    { document, text: "x", index: 1, tab: "t.0", expect_revision: "r" }
  ]
}

const ruleBetweenFields = (message: string) =>
  message.startsWith("Expected exactly one of") || message.startsWith("\"none\" takes plain text")

describe("The documents tools", () => {
  it.each(docsTools)("$name accepts exactly what its schema accepts, which has no unions", ({ input, name }) => {
    assert.deepStrictEqual(findDisagreements(input, valid[name] ?? [], ruleBetweenFields), [])
    assert.notInclude(JSON.stringify(jsonSchemaOf(input)), "anyOf")
  })
})
