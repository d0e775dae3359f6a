import { Schema, SchemaTransformation } from "effect"

const description = "Numeric Google Analytics property id, as in `123456789` or `properties/123456789`."

const PropertyInput = Schema.String.check(
  Schema.isPattern(/^(?:properties\/)?\d+$/, {
    message: "Expected a numeric property id, as in \"123456789\" or \"properties/123456789\""
  })
).annotate({ description })

const number = (property: string) => property.replace("properties/", "")

/** Sent on as the number alone. */
export const PropertyId = PropertyInput.pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: number, encode: (id: string) => id }))
)

/** Sent on as `properties/<number>`. */
export const PropertyName = PropertyInput.pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (property) => `properties/${number(property)}`,
      encode: (name: string) => name
    })
  )
)
