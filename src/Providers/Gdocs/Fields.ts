import { Schema } from "effect"

/** Measured in UTF-16 code units, as the provider does. */
export const NamedRangeName = Schema.String.check(Schema.isLengthBetween(1, 256))
