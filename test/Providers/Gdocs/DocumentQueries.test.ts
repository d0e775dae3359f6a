import { assert, describe, it } from "@effect/vitest"
import type { DiscoverySchema } from "../../../scripts/schemas/Discovery.ts"
import { structureQuery, tabsQuery, textQuery } from "../../../src/Providers/Gdocs/DocumentQueries.ts"
import { discovery } from "../../support/Discovery.ts"
import { providerDocuments } from "../../support/OutsideFolder.ts"

type Schemas = Readonly<Record<string, DiscoverySchema>>

const membersOf = (mask: string): ReadonlyArray<readonly [name: string, below: string]> => {
  const members: Array<readonly [string, string]> = []
  let depth = 0
  let start = 0
  for (const [at, letter] of [...`${mask},`].entries()) {
    if (letter === "(") depth++
    if (letter === ")") depth--
    if (letter !== "," || depth > 0) continue
    const member = mask.slice(start, at)
    const open = member.indexOf("(")
    members.push(open === -1 ? [member, ""] : [member.slice(0, open), member.slice(open + 1, -1)])
    start = at + 1
  }
  return members
}

/** The provider refuses a mask with an unknown field. */
const unknownIn = (mask: string, name: string, schemas: Schemas): ReadonlyArray<string> =>
  membersOf(mask).flatMap(([field, below]) => {
    const property = schemas[name]?.properties?.[field]
    if (property === undefined) return [`${name}.${field}`]
    const target = property.$ref ?? property.items?.$ref ?? property.additionalProperties?.$ref
    return below === "" || target === undefined ? [] : unknownIn(below, target, schemas)
  })

describe.skipIf(providerDocuments.isAbsent)(`Every field of a mask is documented${providerDocuments.absence}`, () => {
  for (const [what, { fields }] of Object.entries({ structureQuery, tabsQuery, textQuery })) {
    it(`${what}`, () => {
      const { schemas } = discovery("gdocs")
      assert.deepStrictEqual(unknownIn(fields, "Document", schemas), [])
      assert.deepStrictEqual(unknownIn(`${fields},nothing`, "Document", schemas), ["Document.nothing"])
    })
  }
})
