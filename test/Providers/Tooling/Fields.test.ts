import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { jsonSchemaOf } from "../../../src/Providers/Catalog/JsonSchema.ts"
import {
  calendarDayPattern,
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
    { given: { exclude: "" }, meant: {} },
    { given: { exclude: "a, b ,," }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: "a, b c ," }, meant: { exclude: ["a", "b c"] } },
    { given: { exclude: [" a", "", "b,c"] }, meant: { exclude: ["a", "b,c"] } },
    { given: { exclude: "a,bbbbbbbb" }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: ["a", "b", "c", "d"] }, meant: {}, issue: ["input", "exclude"] },
    { given: { exclude: ["a", "bbbbbbbbbb"] }, meant: {}, issue: ["input", "exclude", 1] },
    { given: { device: "", order: "" }, meant: {} },
    { given: { device: "MOBILE", order: "position" }, meant: { device: "mobile", order: "position" } },
    { given: { device: "Mobile" }, meant: {}, issue: ["input", "device"] },
    { given: { order: "ctr" }, meant: {}, issue: ["input", "order"] },
    { given: { type: "GOOGLE_NEWS" }, meant: { type: "googleNews" } },
    { given: { type: "googleNews" }, meant: { type: "googleNews" } },
    { given: { type: "Web" }, meant: {}, issue: ["input", "type"] },
    { given: { contains: "abcdef" }, meant: {}, issue: ["input", "contains"] },
    { given: { site: "" }, meant: {}, issue: ["input", "site"] },
    { given: { limit: 0 }, meant: {}, issue: ["input", "limit"] },
    { given: { limit: 1.5 }, meant: {}, issue: ["input", "limit"] },
    { given: { fresh: "yes" }, meant: {}, issue: ["input", "fresh"] }
  ])("reads $given as $meant, or refuses it at $issue", ({ given, issue, meant }) => {
    const result = validate({ site: "a", ...given })
    if (issue === undefined) {
      assert.deepStrictEqual<unknown>(Result.getOrThrow(result), { ...defaults, ...meant })
    } else {
      assert.deepStrictEqual(Result.getOrThrow(Result.flip(result)).map(({ path }) => path), [issue])
    }
  })

  it("only existing calendar days match", () => {
    const pattern = new RegExp(`^(?:${calendarDayPattern})$`, "u")
    for (let year = 1996; year <= 2104; year += 4) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const text = [year, month, day].map((part) => String(part).padStart(2, "0")).join("-")
          const exists = Option.isSome(
            DateTime.make({ year, month, day }).pipe(
              Option.filter((date) => DateTime.formatIsoDateUtc(date) === text)
            )
          )
          assert.strictEqual(pattern.test(text), exists, text)
        }
      }
    }
    for (const text of ["1900-02-29", "2023-02-29", "2100-02-29", "26-01-01", "2026-1-1", "2026-01-01 "]) {
      assert.isFalse(pattern.test(text), text)
    }
    assert.isTrue(pattern.test("2000-02-29"))
  })

  it("the JSON Schema shows defaults, bounds and both spellings", () => {
    assert.deepStrictEqual(jsonSchemaOf(Input), {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        site: { type: "string", minLength: 1, maxLength: 10, description: "Site" },
        contains: { type: "string", maxLength: 5, description: "Contains" },
        exclude: {
          anyOf: [
            { type: "string", maxLength: 9, pattern: "^[^,]*(?:,[^,]*){0,2}$" },
            { type: "array", items: { type: "string", maxLength: 9 }, maxItems: 3 }
          ],
          description: "Exclude",
          default: []
        },
        device: { type: "string", enum: ["desktop", "mobile", "DESKTOP", "MOBILE", ""], description: "Device" },
        order: {
          type: "string",
          enum: ["clicks", "position", "CLICKS", "POSITION", ""],
          description: "Order",
          default: "clicks"
        },
        limit: { type: "integer", minimum: 1, maximum: 50, description: "Limit", default: 25 },
        fresh: { type: "boolean", description: "Fresh", default: false },
        type: { type: "string", enum: ["web", "WEB", "googleNews", "GOOGLE_NEWS"], description: "Type" }
      },
      required: ["site"],
      additionalProperties: false
    })
  })
})
