import { Effect, Option } from "effect"
import { company, type Page, pages } from "../../Data/Company.ts"
import { catalogueOf, type Customer, customers } from "../../Data/Portfolio.ts"
import { findFault } from "../../Faults/Faults.ts"
import { GoogleError, invalidArgument } from "../Google/GoogleError.ts"

export interface Stream {
  readonly id: string
  readonly name: string
  readonly dailySessions: number
  readonly pages: ReadonlyArray<Page>
  /** None for the streams of Fernhill. */
  readonly customer?: Customer
}

export interface Property {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly type: "PROPERTY_TYPE_ORDINARY" | "PROPERTY_TYPE_ROLLUP"
  readonly timeZone: string
  readonly currency: string
  readonly streams: ReadonlyArray<Stream>
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly properties: ReadonlyArray<Property>
}

const pagesOn = (host: string) => pages.filter((page) => page.url.startsWith(host))

const shopStream: Stream = { id: "5100000011", name: "Fernhill shop", dailySessions: 320, pages: pagesOn(company.shop) }
const journalStream: Stream = {
  id: "5100000012",
  name: "Fernhill journal",
  dailySessions: 240,
  pages: pagesOn(company.blog)
}

const shop: Property = {
  id: "410000011",
  account: "41000001",
  name: "Fernhill Shop",
  type: "PROPERTY_TYPE_ORDINARY",
  timeZone: "Europe/London",
  currency: "GBP",
  streams: [shopStream]
}

const rollUp: Property = {
  ...shop,
  id: "410000012",
  name: "Fernhill Roll-up",
  type: "PROPERTY_TYPE_ROLLUP",
  streams: [shopStream, journalStream]
}

const customerProperty = (customer: Customer, index: number): Property => ({
  ...shop,
  id: `${430_000_031 + index}`,
  account: customerAccount,
  name: customer.name,
  streams: [{
    id: `${5_300_000_031 + index}`,
    name: `${customer.name} web`,
    dailySessions: customer.dailySessions,
    pages: catalogueOf(customer).pages,
    customer
  }]
})

const customerAccount = "43000001"

const empty: Property = {
  id: "420000021",
  account: "42000001",
  name: "Fernhill Journal (new)",
  type: "PROPERTY_TYPE_ORDINARY",
  timeZone: "America/New_York",
  currency: "USD",
  streams: []
}

export const accounts: ReadonlyArray<Account> = [
  { id: "41000001", name: company.name, properties: [shop, rollUp] },
  { id: "42000001", name: "Fernhill Media", properties: [empty] },
  { id: customerAccount, name: "Fernhill Agency customers", properties: customers.map(customerProperty) }
]

const byId = new Map(accounts.flatMap(({ properties }) => properties.map((property) => [property.id, property])))

const helpText = "To learn more about Property ID, see " +
  "https://developers.google.com/analytics/devguides/reporting/data/v1/property-id."

export const findProperty = (id: string): Effect.Effect<Property, GoogleError> => {
  if (!/^\d+$/.test(id)) {
    return Effect.fail(invalidArgument(`Invalid property ID: ${id}. A numeric Property ID is required. ${helpText}`))
  }
  const property = Option.isSome(findFault(id)) ? { ...shop, id } : byId.get(id)
  return property === undefined
    ? Effect.fail(
      new GoogleError({
        code: 403,
        message: `User does not have sufficient permissions for this property. ${helpText}`
      })
    )
    : Effect.succeed(property)
}
