import { Schema } from "effect"

/** Contract section 11. */
export const minPasswordLength = 12

const maxPasswordLength = 1000

/** Its issues never contain the text. */
export const Password = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.isMaxLength(maxPasswordLength, { message: `Must have at most ${maxPasswordLength} characters` })
  ),
  { label: "password" }
)
