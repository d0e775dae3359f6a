import { Effect, Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { described, tool } from "../../Provider.ts"
import { integer, offsetField, optionalText } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { pageInfoFields, slicePage } from "../../Tooling/Paging.ts"
import { containsText, fetchAccountSummaries, flattenProperties, ListedProperty } from "../Properties.ts"

export const ga4ListProperties = tool({
  name: "ga4_list_properties",
  ...described([
    "Every property the connection can read, with its account, as a flat list.",
    "`property_id` is what ga4_traffic_by_page takes as `property`.",
    "`type` is present only for rollup and subproperty.",
    "For accounts without properties use the endpoint accountSummaries.list."
  ], [
    "Sorted by account, then by name.",
    "At most `limit` properties of `total` are returned.",
    "`has_more` says whether there are more, `next_offset` where they start.",
    "Without access or match `properties` is empty and `total` is 0.",
    "Reports can still be refused for a listed property."
  ]),
  writes: false,
  input: Schema.Struct({
    contains: optionalText({
      description: "Only properties with this text in their name or id, or in those of their account, in any case.",
      maxLength: 200
    }),
    limit: integer({ description: "Maximum number of properties to return.", minimum: 1, maximum: 1000, default: 200 }),
    offset: offsetField(1_000_000)
  }),
  resources: "lists",
  rows: () => objectsIn("properties"),
  output: Schema.Struct({
    properties: Schema.Array(ListedProperty),
    total: Integer,
    ...pageInfoFields
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const all = flattenProperties(yield* fetchAccountSummaries(provider))
    const found = input.contains === undefined ? all : all.filter(containsText(input.contains))
    const page = slicePage(found, input)
    return { properties: page.rows, total: found.length, ...page.info }
  })
})
