import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ga4ListProperties } from "../../../../src/Providers/Ga4/Tools/ListProperties.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { objectsOf, runTool } from "../../../support/RunTool.ts"

const account = (
  id: number,
  displayName: string,
  ...properties: ReadonlyArray<readonly [number, string, string?]>
) => ({
  name: `accountSummaries/${id}`,
  account: `accounts/${id}`,
  displayName,
  ...(properties.length === 0 ? {} : {
    propertySummaries: properties.map(([property, name, type = "ORDINARY"]) => ({
      property: `properties/${property}`,
      displayName: name,
      propertyType: `PROPERTY_TYPE_${type}`,
      parent: `accounts/${id}`
    }))
  })
})

/** An account per page. */
const accounts = (...list: ReadonlyArray<unknown>) =>
  fakeProvider((_, { query }) => {
    const index = Number(query?.["pageToken"] ?? 0)
    return {
      accountSummaries: list.slice(index, index + 1),
      ...(index + 1 < list.length ? { nextPageToken: String(index + 1) } : {})
    }
  })

describe("ga4_list_properties", () => {
  it.effect("reads every page of accounts and returns a flat list sorted by account and name", () =>
    Effect.gen(function*() {
      const { calls, provider } = accounts(
        account(2, "Zoo", [22, "Shop", "ROLLUP"], [21, "Blog", "SUBPROPERTY"]),
        account(3, "Nothing here"),
        account(1, "Acme", [11, "Site"], [12, "App", "UNSPECIFIED"])
      )
      assert.deepStrictEqual(yield* runTool(ga4ListProperties, provider, {}), {
        properties: [
          { property_id: "12", name: "App", account_id: "1", account: "Acme" },
          { property_id: "11", name: "Site", account_id: "1", account: "Acme" },
          { property_id: "21", name: "Blog", account_id: "2", account: "Zoo", type: "subproperty" },
          { property_id: "22", name: "Shop", account_id: "2", account: "Zoo", type: "rollup" }
        ],
        total: 4,
        returned: 4,
        has_more: false
      })
      assert.deepStrictEqual(calls.map(({ input }) => input.query), [
        { pageSize: 200 },
        { pageSize: 200, pageToken: "1" },
        { pageSize: 200, pageToken: "2" }
      ])
    }))

  it.effect("pages through hundreds of accounts", () =>
    Effect.gen(function*() {
      const accountSummaries = Array.from({ length: 250 }, (_, at) => account(at, `Account ${at}`, [at, "Site"]))
      const { provider } = fakeProvider(() => ({ accountSummaries }))
      const output = yield* runTool(ga4ListProperties, provider, {})
      assert.deepInclude(output, { total: 250, returned: 200, has_more: true, next_offset: 200 })
      const rest = yield* runTool(ga4ListProperties, provider, { offset: 200 })
      assert.deepInclude(rest, { total: 250, returned: 50, has_more: false })
      const ids = [output, rest].flatMap(({ properties }) => objectsOf(properties)).map((each) => each["property_id"])
      assert.strictEqual(new Set(ids).size, 250)
    }))

  it.effect.each([
    { contains: "acme", ids: ["11", "12"] },
    { contains: "12", ids: ["12"] },
    { contains: "", ids: ["11", "12", "21"] }
  ])("contains \"$contains\" finds $ids", ({ contains, ids }) =>
    Effect.gen(function*() {
      const { provider } = accounts(account(1, "Acme", [11, "Site"], [12, "App"]), account(2, "Zoo", [21, "Shop"]))
      const { properties, total } = yield* runTool(ga4ListProperties, provider, { contains })
      assert.strictEqual(total, ids.length)
      assert.deepStrictEqual(objectsOf(properties).map((each) => String(each["property_id"])).toSorted(), ids)
    }))
})
