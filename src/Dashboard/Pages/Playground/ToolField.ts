import { Schema } from "effect"

export type Input = Readonly<Record<string, unknown>>

export const Property = Schema.Struct({
  type: Schema.optional(Schema.Unknown),
  description: Schema.optional(Schema.String),
  enum: Schema.optional(Schema.Array(Schema.Unknown)),
  default: Schema.optional(Schema.Unknown),
  minimum: Schema.optional(Schema.Finite),
  maximum: Schema.optional(Schema.Finite),
  maxLength: Schema.optional(Schema.Finite),
  maxItems: Schema.optional(Schema.Finite)
})
export type Property = typeof Property.Type

export interface Account {
  readonly provider: string
  /** `undefined` while several connections could be meant. */
  readonly connectionId: string | undefined
}

/** One property of the input of a tool. */
export interface ToolField {
  readonly name: string
  readonly property: Property
  readonly required: boolean
  readonly account: Account
  /** The input of the whole tool. */
  readonly input: Input
}
