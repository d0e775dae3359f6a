import { assert, describe, it } from "@effect/vitest"
import type { Schema } from "effect"
import { asObject, type JsonObject, without } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import { documentResource } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { fixture } from "../../../../support/Fixtures.ts"
import { recordedTraffic } from "../../../../support/OutsideFolder.ts"
import { fromResource } from "../FromResource.ts"

const recordings = [
  "gatsby-source-google-docs__breaks gatsby-source-google-docs__footnotes",
  "gatsby-source-google-docs__horizontal-rule gatsby-source-google-docs__lists",
  "gatsby-source-google-docs__special-chars gatsby-source-google-docs__tables markkohdev__single-tab"
].flatMap((text) => text.split(" "))

/** Edited by hand, with outdated indexes. */
const editedRecordings = [
  "gatsby-source-google-docs__empty",
  "gatsby-source-google-docs__links",
  "gatsby-source-google-docs__texts"
]

const recorded = (name: string): JsonObject =>
  // oxlint-disable-next-line typescript/consistent-type-assertions
  fixture(`google-docs/${name}.json`) as JsonObject

const resourceOf = (document: JsonObject): JsonObject =>
  without(
    documentResource(fromResource(document), { includeTabsContent: document["tabs"] !== undefined }),
    "revisionId"
  )

const withoutIndexes = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(withoutIndexes)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(asObject(value)).flatMap(([name, member]) =>
      name === "startIndex" || name === "endIndex" ? [] : [[name, withoutIndexes(member)]]
    )
  )
}

describe.skipIf(recordedTraffic.isAbsent)(`A recorded document${recordedTraffic.absence}`, () => {
  it.each([...recordings, ...editedRecordings])("is stored as plain JSON and returned unchanged: %s", (name) => {
    const document = recorded(name)
    const state = fromResource(document)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(state)), state)
    const [returned, expected] = [resourceOf(document), without(document, "revisionId")]
    if (recordings.includes(name)) assert.deepStrictEqual(returned, expected)
    else assert.deepStrictEqual(withoutIndexes(returned), withoutIndexes(expected))
  })
})
