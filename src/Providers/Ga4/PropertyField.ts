import { Schema, SchemaTransformation } from "effect"

/** What people take for a property id most often: ids of streams, of old properties and of tag containers. */
const otherId = /^(?:G|UA|GTM|AW)-/i

const isProperty = Schema.makeFilter(
  (property: string) =>
    /^(?:properties\/)?\d+$/.test(property) ||
    (otherId.test(property)
      ? `"${property}" is no property id; expected the number, which ga4_list_properties lists`
      : "Expected a numeric property id, such as 123456789 or properties/123456789"),
  { toJsonSchema: () => ({ pattern: "^(?:properties/)?\\d+$" }) }
)

/** A property by its id, as text or number; decodes to the digits. */
export const propertyField = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  Schema.String.check(isProperty)
]).annotate({
  description: "Numeric property id, such as 123456789 or properties/123456789; ga4_list_properties lists them. " +
    "Measurement ids (G-…), UA-… and GTM-… are not accepted."
}).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string | number>({
      decode: (property) => String(property).replace("properties/", ""),
      encode: (id) => id
    })
  )
)
