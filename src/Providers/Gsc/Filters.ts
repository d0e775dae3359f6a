import { Option, RegExp, Schema, SchemaGetter } from "effect"
import { choice, optionalChoice, optionalText, texts } from "../Tooling/Fields.ts"
import { countryCode } from "./Countries.ts"
import type { QueryBody } from "./Schemas.ts"

/** The longest filter expression that Search Console takes, in characters. */
const maxExpression = 4096

/** RE2 for one of `terms` anywhere; whether the provider minds the case is not documented, so it is told not to. */
export const anyTerm = (terms: ReadonlyArray<string>): string => `(?i)(?:${terms.map(RegExp.escape).join("|")})`

/** RE2 for exactly one of `terms`. */
const exactTerm = (terms: ReadonlyArray<string>): string => `(?i)^(?:${terms.map(RegExp.escape).join("|")})$`

/** Expressions that together match exactly `terms`, each within the provider's limit; a term beyond it is left out. */
export const exactTerms = (terms: ReadonlyArray<string>): ReadonlyArray<string> => {
  const expressions: Array<string> = []
  let chunk: Array<string> = []
  for (const term of terms) {
    if (exactTerm([term]).length > maxExpression) continue
    if (exactTerm([...chunk, term]).length > maxExpression) {
      expressions.push(exactTerm(chunk))
      chunk = []
    }
    chunk.push(term)
  }
  return chunk.length === 0 ? expressions : [...expressions, exactTerm(chunk)]
}

const ExcludeTerms = texts({
  description:
    "Leave out queries that contain one of these texts, in any case: a list, or one string with commas; at " +
    "most 20, as one regular expression at most 4096 characters. Good for brand names.",
  maxItems: 20,
  maxLength: maxExpression
}).check(
  Schema.makeFilter((terms) =>
    anyTerm(terms).length <= maxExpression || `Expected at most ${maxExpression} characters as one regular expression`
  )
)

/** Decodes to the provider's code. */
const Country = Schema.optionalKey(
  Schema.String.check(
    Schema.makeFilter((code) => code === "" || countryCode(code) !== undefined, {
      expected: "an ISO 3166-1 country code of two or three letters",
      toJsonSchema: () => ({ pattern: "^(?:[A-Za-z]{2,3})?$" })
    })
  ).annotate({
    description:
      "Only searches from this country: its ISO 3166-1 code of two or three letters, such as `us` or `usa`; " +
      "`zzz` is an unknown country."
  })
).pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.String), {
    decode: SchemaGetter.transformOptional(Option.flatMapNullishOr(countryCode)),
    encode: SchemaGetter.passthrough()
  })
)

/** What both tools narrow their report by. */
export const filterFields = {
  query_contains: optionalText({
    description: "Only queries that contain this text, in any case.",
    maxLength: 500
  }),
  page_contains: optionalText({
    description: "Only results for pages whose URL contains this text, in any case.",
    maxLength: 500
  }),
  exclude_terms: ExcludeTerms,
  country: Country,
  device: optionalChoice(["desktop", "mobile", "tablet"], {
    description: "Only searches on this device: desktop, mobile or tablet."
  }),
  search_type: choice(["web", "image", "video", "news"], {
    description: "Kind of search: web, image, video or news. Discover and Google News have no queries.",
    default: "web"
  })
}

export type Filters = Schema.Struct<typeof filterFields>["Type"]
type FilterGroups = NonNullable<(typeof QueryBody)["Type"]["dimensionFilterGroups"]>
export type Filter = NonNullable<FilterGroups[number]["filters"]>[number]

/** The conditions that the tools' fields stand for, and `more`; all must hold. */
export const filterGroups = (filters: Filters, more: ReadonlyArray<Filter> = []): FilterGroups => {
  const { country, device, exclude_terms, page_contains, query_contains } = filters
  const all = [
    ...condition("query", "contains", query_contains),
    ...condition("page", "contains", page_contains),
    ...condition("query", "excludingRegex", exclude_terms.length === 0 ? undefined : anyTerm(exclude_terms)),
    ...condition("country", "equals", country),
    ...condition("device", "equals", device?.toUpperCase()),
    ...more
  ]
  return all.length === 0 ? [] : [{ groupType: "and", filters: all }]
}

const condition = (
  dimension: Filter["dimension"],
  operator: NonNullable<Filter["operator"]>,
  expression: string | undefined
): ReadonlyArray<Filter> => expression === undefined ? [] : [{ dimension, operator, expression }]

/** A condition on queries takes out those that the provider keeps to itself, from totals too. */
export const narrowsQueries = ({ exclude_terms, query_contains }: Filters): boolean =>
  query_contains !== undefined || exclude_terms.length > 0
