import { Predicate } from "effect"

/** Leaves out accounts without a property inside the bounds. */
export const listedAccounts = (body: unknown, isInside: (name: string) => boolean): unknown =>
  Predicate.hasProperty(body, "accountSummaries")
    ? {
      ...body,
      accountSummaries: listOf(body.accountSummaries).flatMap((account) => withProperties(account, isInside))
    }
    : body

const withProperties = (account: unknown, isInside: (name: string) => boolean): ReadonlyArray<unknown> => {
  if (!Predicate.hasProperty(account, "propertySummaries")) return []
  const propertySummaries = listOf(account.propertySummaries).filter((summary) =>
    Predicate.hasProperty(summary, "property") && Predicate.isString(summary.property) && isInside(summary.property)
  )
  return propertySummaries.length === 0 ? [] : [{ ...account, propertySummaries }]
}

const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []
