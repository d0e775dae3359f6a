import { Option, RegExp, Schema, SchemaGetter } from "effect"
import { choice, optionalChoice, optionalText, textList } from "../Tooling/Fields.ts"
import { urlSpellings } from "../Tooling/UrlText.ts"
import { countryCode } from "./Countries.ts"
import type { QueryBody } from "./QueryBody.ts"

const maxExpressionLength = 4096

/** `(?i)` because the provider does not document whether case matters. */
export const anyTermPattern = (terms: ReadonlyArray<string>): string => `(?i)(?:${terms.map(RegExp.escape).join("|")})`

const exactTermPattern = (terms: ReadonlyArray<string>): string => `(?i)^(?:${terms.map(RegExp.escape).join("|")})$`

export const exactTermPatterns = (terms: ReadonlyArray<string>): ReadonlyArray<string> => {
  const expressions: Array<string> = []
  let chunk: Array<string> = []
  for (const term of terms) {
    if (exactTermPattern([term]).length > maxExpressionLength) continue
    if (exactTermPattern([...chunk, term]).length > maxExpressionLength) {
      expressions.push(exactTermPattern(chunk))
      chunk = []
    }
    chunk.push(term)
  }
  return chunk.length === 0 ? expressions : [...expressions, exactTermPattern(chunk)]
}

const ExcludeTerms = textList({
  description:
    "Leave out queries that contain one of these texts, in any case, such as brand names. A list, or one string " +
    "with commas: at most 20 texts, and 4096 characters as one regular expression.",
  maxItems: 20,
  maxLength: maxExpressionLength
}).check(
  Schema.makeFilter((terms) =>
    anyTermPattern(terms).length <= maxExpressionLength ||
    `Expected at most ${maxExpressionLength} characters as one regular expression`
  )
)

const Country = Schema.optionalKey(
  Schema.String.check(
    Schema.makeFilter((code) => code === "" || countryCode(code) !== undefined, {
      expected: "an ISO 3166-1 country code of two or three letters",
      toJsonSchema: () => ({ pattern: "^(?:[A-Za-z]{2,3})?$" })
    })
  ).annotate({
    description: "Only searches from this country, such as `us` or `usa` (ISO 3166-1); `zzz` is an unknown one."
  })
).pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.String), {
    decode: SchemaGetter.transformOptional(Option.flatMapNullishOr(countryCode)),
    encode: SchemaGetter.passthrough()
  })
)

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
    description: "Only searches on this device."
  }),
  search_type: choice(["web", "image", "video", "news"], {
    description: "Kind of search. Discover and Google News have no queries.",
    default: "web"
  })
}

export type ReportFilters = Schema.Struct<typeof filterFields>["Type"]
type FilterGroups = NonNullable<(typeof QueryBody)["Type"]["dimensionFilterGroups"]>
export type ReportFilter = NonNullable<FilterGroups[number]["filters"]>[number]

export const filterGroups = (filters: ReportFilters, extraFilters: ReadonlyArray<ReportFilter> = []): FilterGroups => {
  const { country, device, exclude_terms, page_contains, query_contains } = filters
  const all = [
    ...condition("query", "contains", query_contains),
    ...page_contains === undefined ? [] : pageCondition(page_contains),
    ...condition("query", "excludingRegex", exclude_terms.length === 0 ? undefined : anyTermPattern(exclude_terms)),
    ...condition("country", "equals", country),
    ...condition("device", "equals", device?.toUpperCase()),
    ...extraFilters
  ]
  return all.length === 0 ? [] : [{ groupType: "and", filters: all }]
}

const condition = (
  dimension: ReportFilter["dimension"],
  operator: NonNullable<ReportFilter["operator"]>,
  expression: string | undefined
): ReadonlyArray<ReportFilter> => expression === undefined ? [] : [{ dimension, operator, expression }]

const pageCondition = (text: string): ReadonlyArray<ReportFilter> => {
  const spellings = urlSpellings(text)
  const pattern = anyTermPattern(spellings)
  return spellings.length > 1 && pattern.length <= maxExpressionLength
    ? condition("page", "includingRegex", pattern)
    : condition("page", "contains", text)
}

export const filtersQueries = ({ exclude_terms, query_contains }: ReportFilters): boolean =>
  query_contains !== undefined || exclude_terms.length > 0
