import { Schema } from "effect"

export const minPasswordLength = 12

const maxPasswordLength = 1000

export const Password = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.isMaxLength(maxPasswordLength, { message: `Must have at most ${maxPasswordLength} characters` })
  ),
  { label: "password" }
)
