import { Effect, Order, Schema } from "effect"
import { append } from "../../Domain/Lists.ts"
import type { ProviderCalls } from "../Provider.ts"
import { accountSummariesList } from "./Endpoints.ts"
import { AccountSummaries, type AccountSummary } from "./Responses.ts"

const maxPageSize = 200
const maxPages = 100

export const fetchAccountSummaries = Effect.fnUntraced(function*(provider: ProviderCalls) {
  const accounts: Array<AccountSummary> = []
  let pageToken = ""
  for (let page = 0; page < maxPages; page++) {
    const query = { pageSize: maxPageSize, ...(pageToken === "" ? {} : { pageToken }) }
    const response = yield* provider.call(accountSummariesList, { query }, AccountSummaries)
    append(accounts, response.accountSummaries)
    pageToken = response.nextPageToken
    if (pageToken === "") break
  }
  return accounts
})

export const ListedProperty = Schema.Struct({
  property_id: Schema.String,
  name: Schema.String,
  account_id: Schema.String,
  account: Schema.String,
  type: Schema.optionalKey(Schema.String)
})
export type ListedProperty = typeof ListedProperty.Type

const byAccountAndName = Order.Struct({ account: Order.String, name: Order.String, property_id: Order.String })

export const flattenProperties = (accounts: ReadonlyArray<AccountSummary>): ReadonlyArray<ListedProperty> => {
  const byId = new Map<string, ListedProperty>()
  for (const { account, displayName, propertySummaries } of accounts) {
    for (const summary of propertySummaries) {
      const property_id = lastSegment(summary.property)
      const type = propertyTypeName(summary.propertyType)
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

const lastSegment = (name: string): string => name.slice(name.lastIndexOf("/") + 1)

const propertyTypeName = (propertyType: string): string | undefined => {
  const type = propertyType.replace("PROPERTY_TYPE_", "").toLowerCase()
  return ["", "ordinary", "unspecified"].includes(type) ? undefined : type
}

export const containsText = (text: string) => ({ account, account_id, name, property_id }: ListedProperty): boolean =>
  [account, account_id, name, property_id].some((field) => field.toLowerCase().includes(text.toLowerCase()))
