import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  choice,
  enumWithAliases,
  flag,
  integer,
  optionalChoice,
  optionalText,
  text,
  textList
} from "../../../src/Providers/Tooling/Fields.ts"

const Input = Schema.Struct({
  site: text({ description: "Site", maxLength: 10 }),
  contains: optionalText({ description: "Contains", maxLength: 5 }),
  exclude: textList({ description: "Exclude", maxItems: 3, maxLength: 9 }),
  device: optionalChoice(["desktop", "mobile"], { description: "Device" }),
  order: choice(["clicks", "position"], { description: "Order", default: "clicks" }),
  limit: integer({ description: "Limit", minimum: 1, maximum: 50, default: 25 }),
  fresh: flag({ description: "Fresh", default: false }),
  type: Schema.optionalKey(enumWithAliases({ web: "WEB", googleNews: "GOOGLE_NEWS" }, { description: "Type" }))
})
const validate = validator(Input, ["input"])
const defaults = { site: "a", exclude: [], order: "clicks", limit: 25, fresh: false }

describe("Tool fields", () => {
  it.each([
    { given: {}, meant: {} },
    { given: { contains: "" }, meant: {} },
    { given: { contains: " " }, meant: { contains: " " } },
    { given: { contains: "🚀🚀🚀🚀🚀" }, meant: { contains: "🚀🚀🚀🚀🚀" } },
    { given: { exclude: "a, b ,," }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: [" a", "", "b,c"] }, meant: { exclude: ["a", "b,c"] } },
    { given: { exclude: "a,bbbbbbbb" }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: ["a", "b", "c", "d"] }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: ["a", "bbbbbbbbbb"] }, meant: {}, issue: ["input", "exclude", 1] },
    { given: { device: "", order: "" }, meant: {} },
    { given: { device: "MOBILE", order: "position" }, meant: { device: "mobile", order: "position" } },
    { given: { device: "Mobile" }, meant: {}, issue: ["input", "device"] },
    { given: { order: "ctr" }, meant: {}, issue: ["input", "order"] },
    { given: { type: "GOOGLE_NEWS" }, meant: { type: "googleNews" } },
    { given: { contains: "abcdef" }, meant: {}, issue: ["input", "contains"] },
    { given: { site: "" }, meant: {}, issue: ["input", "site"] },
    { given: { limit: 0 }, meant: {}, issue: ["input", "limit"] },
    { given: { limit: 1.5 }, meant: {}, issue: ["input", "limit"] }
  ])("reads $given as $meant, or refuses it at $issue", ({ given, issue, meant }) => {
    const result = validate({ site: "a", ...given })
    if (issue === undefined) {
      assert.deepStrictEqual<unknown>(Result.getOrThrow(result), { ...defaults, ...meant })
    } else {
      assert.deepStrictEqual(Result.getOrThrow(Result.flip(result)).map(({ path }) => path), [issue])
    }
  })
})
