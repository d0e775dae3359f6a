import { Schema } from "effect"

/** An integer of an output. `Schema.Int` would write the bounds of safe integers into the JSON Schema. */
export const Integer = Schema.Finite.check(
  Schema.makeFilter((value: number) => Number.isInteger(value), {
    expected: "an integer",
    toJsonSchema: () => ({ type: "integer" })
  })
)
