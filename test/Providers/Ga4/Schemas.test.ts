import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { ga4TrafficByPage } from "../../../src/Providers/Ga4/Tools/TrafficByPage.ts"

describe("The property of ga4_traffic_by_page", () => {
  it.each([
    { given: "123", sent: "123" },
    { given: "properties/123", sent: "123" },
    { given: 123, sent: "123" }
  ])("the property $given is sent as $sent", ({ given, sent }) => {
    assert.strictEqual(Result.getOrThrow(validator(ga4TrafficByPage.input)({ property: given })).property, sent)
  })

  it.each(["G-ABC123", "UA-1-1", "GTM-XYZ", "g-abc"])("refuses %s and says where to find the property id", (given) => {
    const issues = Option.getOrThrow(
      Result.getFailure(validator(ga4TrafficByPage.input, ["input"])({ property: given }))
    )
    assert.deepStrictEqual(issues, [{
      path: ["input", "property"],
      message: `"${given}" is no property id; expected the number, which ga4_list_properties lists`
    }])
  })

  it.each(["", "abc", "properties/", "accounts/1", "1.5", -1, 0, 1.5, null])("refuses %j as a property", (given) => {
    const issues = Option.getOrThrow(
      Result.getFailure(validator(ga4TrafficByPage.input, ["input"])({ property: given }))
    )
    assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "property"]])
  })
})
