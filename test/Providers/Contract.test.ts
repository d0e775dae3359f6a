import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { enumerationsFile } from "../../scripts/client/Enumerations.ts"
import type { DiscoverySchema } from "../../scripts/schemas/Discovery.ts"
import { schemaFiles } from "../../scripts/schemas/Modules.ts"
import { structureQuery, tabsQuery, textQuery } from "../../src/Providers/Gdocs/DocumentQueries.ts"
import { type FieldMask, parseFieldMask } from "../../src/Sandbox/Providers/Google/FieldMask.ts"
import { discovery } from "../support/Discovery.ts"
import { providerDocuments } from "../support/OutsideFolder.ts"

const update = (request: object) => ({
  method: "POST",
  url: "/v1/documents/a:batchUpdate",
  body: JSON.stringify({ requests: [request] })
})

/** What reads the requests of the tests as Google would. */
describe.skipIf(providerDocuments.isAbsent)(`The validation of Google requests${providerDocuments.absence}`, () => {
  it.each([
    ["an unknown nested field", update({ insertText: { loc: 1 } }), "body.requests[0].insertText.loc: unknown name"],
    [
      "a number above 32 bits",
      update({ deleteContentRange: { range: { startIndex: 2 ** 31 } } }),
      "body.requests[0].deleteContentRange.range.startIndex: expected an int32, got 2147483648"
    ]
  ])("refuses %s", (_, request, fault) => {
    const [found = "", ...others] = discovery("gdocs").read(request)?.faults ?? []
    assert.strictEqual(found.slice(0, fault.length), fault)
    assert.deepStrictEqual(others, [])
  })
})

describe.skipIf(providerDocuments.isAbsent)(`Generated schemas${providerDocuments.absence}`, () => {
  it("match the output of `npm run generate`", () => {
    const folder = providerDocuments.path("discovery")
    for (const { path, source } of [...schemaFiles(folder), enumerationsFile(folder)]) {
      assert.strictEqual(readFileSync(path, "utf8"), source, path)
    }
  })
})

type Schemas = Readonly<Record<string, DiscoverySchema>>

/** The provider refuses a mask with an unknown field. */
const unknownIn = (mask: FieldMask, name: string, schemas: Schemas): ReadonlyArray<string> =>
  [...mask].flatMap(([field, below]) => {
    const property = schemas[name]?.properties?.[field]
    if (property === undefined) return [`${name}.${field}`]
    const target = property.$ref ?? property.items?.$ref ?? property.additionalProperties?.$ref
    return target === undefined ? [] : unknownIn(below, target, schemas)
  })

describe.skipIf(providerDocuments.isAbsent)(`Every field of a mask is documented${providerDocuments.absence}`, () => {
  it.each(Object.entries({ structureQuery, tabsQuery, textQuery }))("%s", (_, { fields }) => {
    const { schemas } = discovery("gdocs")
    const unknown = (mask: string) => unknownIn(Result.getOrThrow(parseFieldMask(mask)), "Document", schemas)
    assert.deepStrictEqual(unknown(fields), [])
    assert.deepStrictEqual(unknown(`${fields},nothing`), ["Document.nothing"])
  })
})
