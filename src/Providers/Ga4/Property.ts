import { Schema, SchemaTransformation } from "effect"

/** Sent on as the number alone, which the URL template puts behind `properties/`. */
export const PropertyId = Schema.String.check(
  Schema.isPattern(/^(?:properties\/)?\d+$/u, {
    message: "Expected a numeric property id, as in \"123456789\" or \"properties/123456789\""
  })
).annotate({
  description: "Numeric Google Analytics property id, as in `123456789` or `properties/123456789`."
}).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (property) => property.replace("properties/", ""),
      encode: (id: string) => id
    })
  )
)

interface PropertyTwice {
  readonly path: { readonly property: string }
  readonly body: { readonly property?: string }
}

/** The body of a report has a field for the property, "specified in the URL path and not the body". */
export const sameProperty = Schema.makeFilter<PropertyTwice>(({ body, path }) => {
  const property = `properties/${path.property}`
  return body.property === undefined || body.property === "" || body.property === property
    ? undefined
    : { path: ["body", "property"], issue: `Expected the property of the path, "${property}"` }
})
