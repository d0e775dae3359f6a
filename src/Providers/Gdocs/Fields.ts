import { Schema } from "effect"

const message = "Expected 1 to 256 UTF-16 code units"

export const NamedRangeName = Schema.String.check(
  Schema.isMinLength(1, { message }),
  Schema.isMaxLength(256, { message })
)
