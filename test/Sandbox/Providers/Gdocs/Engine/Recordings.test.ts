import { assert, describe, it } from "@effect/vitest"
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

const withoutIndexes = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (name, member) => /^(?:start|end)Index$/.test(name) ? undefined : member))

describe.skipIf(recordedTraffic.isAbsent)(`A recorded document${recordedTraffic.absence}`, () => {
  it.each([...recordings, ...editedRecordings])("is stored as plain JSON and returned unchanged: %s", (name) => {
    const { revisionId: _, ...expected } = Object(fixture(`google-docs/${name}.json`))
    const state = fromResource(expected)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(state)), state)
    const { revisionId: __, ...returned } = documentResource(state, { includeTabsContent: "tabs" in expected })
    if (recordings.includes(name)) assert.deepStrictEqual(returned, expected)
    else assert.deepStrictEqual(withoutIndexes(returned), withoutIndexes(expected))
  })
})
