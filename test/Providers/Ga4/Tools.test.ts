import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { ga4ListProperties } from "../../../src/Providers/Ga4/Tools/ListProperties.ts"
import { ga4TrafficByPage } from "../../../src/Providers/Ga4/Tools/TrafficByPage.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { objectsOf, runTool } from "../../support/RunTool.ts"

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

  it.effect.each([
    { input: { contains: "acme" }, ids: ["12", "11"], total: 2 },
    { input: { contains: "12" }, ids: ["12"], total: 1 },
    { input: { contains: "", offset: 1, limit: 1 }, ids: ["11"], total: 3 }
  ])("finds $ids with $input", ({ ids, input, total }) =>
    Effect.gen(function*() {
      const { provider } = accounts(account(1, "Acme", [11, "Site"], [12, "App"]), account(2, "Zoo", [21, "Shop"]))
      const output = yield* runTool(ga4ListProperties, provider, input)
      assert.deepStrictEqual(objectsOf(output["properties"]).map((each) => each["property_id"]), ids)
      assert.strictEqual(output["total"], total)
    }))
})

const validate = validator(ga4TrafficByPage.input, ["input"])

const issuesOf = (property: unknown) => Option.getOrThrow(Result.getFailure(validate({ property })))

describe("The property of ga4_traffic_by_page", () => {
  it.each(["123", "properties/123", 123])("can be %j", (property) => {
    assert.strictEqual(Result.getOrThrow(validate({ property })).property, "123")
  })

  it.each(["G-ABC123", "UA-1-1", "GTM-XYZ", "g-abc"])(
    "cannot be %s, and the message says where to find it",
    (given) => {
      assert.deepStrictEqual(issuesOf(given), [{
        path: ["input", "property"],
        message: `"${given}" is no property id; expected the number, which ga4_list_properties lists`
      }])
    }
  )
})
