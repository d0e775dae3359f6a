import { Effect, Order, Schema } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import { accountSummariesList } from "./Endpoints.ts"

const listOf = <A>(item: Schema.Codec<A, unknown>) =>
  Schema.Array(item).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))

const text = Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))

/** An account without properties has no list of them. */
const AccountSummary = Schema.Struct({
  account: text,
  displayName: text,
  propertySummaries: listOf(Schema.Struct({
    property: text,
    displayName: text,
    propertyType: text
  }))
})
export type AccountSummary = typeof AccountSummary.Type

const AccountSummaries = Schema.Struct({
  accountSummaries: listOf(AccountSummary),
  nextPageToken: text
})

/** The most of one page. */
const pageSize = 200
/** No account list is known to be this long; it bounds a provider that never ends. */
const maxPages = 100

export const accountSummaries = Effect.fnUntraced(function*(provider: ProviderCalls) {
  const accounts: Array<AccountSummary> = []
  let pageToken = ""
  for (let page = 0; page < maxPages; page++) {
    const query = { pageSize, ...(pageToken === "" ? {} : { pageToken }) }
    const answer = yield* provider.call(accountSummariesList, { query }, AccountSummaries)
    accounts.push(...answer.accountSummaries)
    pageToken = answer.nextPageToken
    if (pageToken === "") break
  }
  return accounts
})

export interface ListedProperty {
  readonly property_id: string
  readonly name: string
  readonly account_id: string
  readonly account: string
  readonly type?: string
}

const byAccountAndName = Order.combineAll<ListedProperty>([
  Order.mapInput(Order.String, ({ account }) => account),
  Order.mapInput(Order.String, ({ name }) => name),
  Order.mapInput(Order.String, ({ property_id }) => property_id)
])

/** A flat list by account and name. A property that is moved while the accounts are read is listed once. */
export const flattenProperties = (accounts: ReadonlyArray<AccountSummary>): ReadonlyArray<ListedProperty> => {
  const byId = new Map<string, ListedProperty>()
  for (const { account, displayName, propertySummaries } of accounts) {
    for (const summary of propertySummaries) {
      const property_id = lastSegment(summary.property)
      const type = typeOf(summary.propertyType)
      byId.set(property_id, {
        property_id,
        name: summary.displayName,
        account_id: lastSegment(account),
        account: displayName,
        ...(type === undefined ? {} : { type })
      })
    }
  }
  return [...byId.values()].toSorted(byAccountAndName)
}

/** `properties/123` is 123. */
const lastSegment = (name: string): string => name.slice(name.lastIndexOf("/") + 1)

/** `PROPERTY_TYPE_ROLLUP` is `rollup`; an ordinary property needs no word. */
const typeOf = (propertyType: string): string | undefined => {
  const type = propertyType.replace("PROPERTY_TYPE_", "").toLowerCase()
  return ["", "ordinary", "unspecified"].includes(type) ? undefined : type
}

/** Whether a name or an id has `part` in it, in any case. */
export const containsText = (part: string) => ({ account, account_id, name, property_id }: ListedProperty): boolean =>
  [account, account_id, name, property_id].some((field) => field.toLowerCase().includes(part.toLowerCase()))
