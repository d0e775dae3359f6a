import { memoize } from "effect/Function"
import { type Page, seasonalFactor } from "./Company.ts"
import { type Day, isoOf, weekdayOf } from "./Day.ts"
import { hashText, mixHash, toFraction } from "./SeededRandom.ts"

/** Another customer of the agency whose account the sandbox has. Its pages, searches and visits are made on demand. */
export interface Customer {
  readonly name: string
  readonly domain: string
  readonly files: { readonly spreadsheet: string; readonly document: string }
  readonly products: ReadonlyArray<string>
  /** The price of one product in pounds. */
  readonly price: number
  readonly contact: string
  readonly goal: string
  /** Distinct pairs of a search query and a page on an ordinary day. */
  readonly dailyRows: number
  readonly dailySessions: number
  /** Has days with several times as much traffic. */
  readonly hasSales: boolean
}

const customerOf = (
  row: Pick<Customer, "name" | "domain" | "products" | "price" | "contact" | "goal" | "dailyRows">
): Customer => {
  const name = `sandbox-${row.domain.replace(".example", "")}`
  return {
    ...row,
    files: { spreadsheet: `${name}-orders`, document: `${name}-plan` },
    dailySessions: Math.round(row.dailyRows / 3),
    hasSales: false
  }
}

const household =
  "kettle toaster blender mixer saucepan skillet casserole teapot mug bowl plate tray basket vase lamp " +
  "mirror clock cushion blanket rug curtain towel pillow duvet mattress wardrobe bookcase desk chair stool bench sofa " +
  "table shelf cabinet drawer hook ladder toolbox drill hammer tent backpack suitcase umbrella scarf jacket boots " +
  "trainers sandals hat"

/** Days have up to 120,000 rows; the interface gives 50,000. */
export const market: Customer = {
  ...customerOf({
    name: "Harbour Market",
    domain: "harbourmarket.example",
    products: household.split(" "),
    price: 40,
    contact: "Priya Raman",
    goal: "Be found for kitchenware before the last Friday of November",
    dailyRows: 12_000
  }),
  dailySessions: 3000,
  hasSales: true
}

export const customers: ReadonlyArray<Customer> = [
  market,
  ...[
    {
      name: "Oak & Ivy Flowers",
      domain: "oakandivy.example",
      products: ["bouquet", "wreath", "house plant", "terrarium"],
      price: 35,
      contact: "Maeve Brennan",
      goal: "Sell wreaths online, not only at the door",
      dailyRows: 240
    },
    {
      name: "Brightwater Kayaks",
      domain: "brightwater.example",
      products: ["kayak", "paddle", "dry bag", "life jacket"],
      price: 320,
      contact: "Tomos Pryce",
      goal: "Rent out every kayak on summer weekends",
      dailyRows: 180
    },
    {
      name: "Marlow Bikes",
      domain: "marlowbikes.example",
      products: ["gravel bike", "road bike", "bike helmet", "bike pump"],
      price: 640,
      contact: "Jess Adeyemi",
      goal: "Bring readers of the gravel guides into the shop",
      dailyRows: 420
    },
    {
      name: "Northgate Dental",
      domain: "northgate-dental.example",
      products: ["dental check up", "tooth whitening", "braces"],
      price: 90,
      contact: "Dr Ines Moreau",
      goal: "Fill the free appointments on Tuesdays",
      dailyRows: 60
    },
    {
      name: "Pine Street Books",
      domain: "pinestreetbooks.example",
      products: ["crime novel", "cookbook", "picture book", "atlas"],
      price: 16,
      contact: "Leonard Okoye",
      goal: "Tell more people about evenings with authors",
      dailyRows: 320
    },
    {
      name: "Tidewell Spa",
      domain: "tidewell.example",
      products: ["spa day", "massage", "facial"],
      price: 110,
      contact: "Sanna Lindqvist",
      goal: "Sell vouchers in the weeks before Mother's Day",
      dailyRows: 90
    },
    {
      name: "Copper Kettle Coffee",
      domain: "copperkettle.example",
      products: ["coffee beans", "espresso machine", "coffee filter"],
      price: 24,
      contact: "Rafael Duarte",
      goal: "Win two hundred subscribers for fresh beans",
      dailyRows: 150
    }
  ].map(customerOf)
]

const qualities = (
  "oak steel copper bamboo wool linen glass ceramic leather cotton small large " +
  "folding travel vintage modern handmade recycled childrens luxury"
).split(" ")

const productUses = ["", " for kitchen", " for garden", " for office", " for camping", " for gifts"]
const wishes = ["", " best", " cheap", " sale", " near me", " review", " uk", " online", " set", " ideas"]

const variantsPerRange = 4

/** Queries and pages have a number. Both sequences mix all products. */
export interface Catalogue {
  readonly queryCount: number
  readonly queryAt: (index: number) => string
  readonly pages: ReadonlyArray<Page>
  /** The page that ranks for the query. Each query has a first and a second one, which differ. */
  readonly pageOf: (query: number, place: 0 | 1) => number
}

export const catalogueOf = memoize(({ domain, name, products }: Customer): Catalogue => {
  const ranges = products.flatMap((product) => qualities.map((quality) => ({ product, quality })))
  const endings = wishes.flatMap((wish) => productUses.map((use) => `${use}${wish}`))
  const queryCount = ranges.length * endings.length
  // Coprime with every count of queries, so that it meets each query once.
  const mixed = (index: number) => (index * 7919) % queryCount
  const salt = hashText(domain)
  // Most queries of a day are those of the day before.
  const queries: Array<string> = []
  const queryOf = (at: number) => {
    const range = ranges[at % ranges.length]
    return `${range?.quality} ${range?.product}${endings[Math.floor(at / ranges.length)]}`
  }
  return {
    queryCount,
    queryAt: (index) => queries[index] ??= queryOf(mixed(index)),
    pages: ranges.flatMap(({ product, quality }) =>
      Array.from({ length: variantsPerRange }, (_, variant): Page => {
        const topic = `${quality} ${product}`
        const path = `/${product.replaceAll(" ", "-")}/${quality}-${variant + 1}`
        return {
          url: `https://www.${domain}${path}`,
          path,
          title: `${topic} ${variant + 1} – ${name}`,
          kind: "product",
          topic
        }
      })
    ),
    pageOf: (query, place) => {
      const at = mixed(query)
      const variant = mixHash(salt, at) % variantsPerRange
      return (at % ranges.length) * variantsPerRange + (variant + place) % variantsPerRange
    }
  }
})

export interface Demand {
  /** Pairs of a query and a page. */
  readonly rows: number
  readonly sessions: number
  /** The share of the country with the most searches. */
  readonly homeShare: number
  readonly mobileShare: number
}

/**
 * On the first Saturday of a month, each country has fewer than 50,000 of the 70,000 rows; on the last Saturday, with
 * 100,000 rows, each device of each country. On the last Friday of November, with 120,000 rows, one device of one
 * country has more.
 */
export const demandOn = ({ dailyRows, dailySessions, domain, hasSales }: Customer, day: Day): Demand => {
  const chance = toFraction(mixHash(hashText(domain), day))
  const factor = seasonalFactor(day) * (0.85 + 0.3 * chance)
  const ordinary = {
    rows: Math.min(45_000, Math.round(dailyRows * factor)),
    sessions: Math.round(dailySessions * factor),
    homeShare: 0.56,
    mobileShare: 0.58
  }
  if (!hasSales) return ordinary
  const [, month = "", date = ""] = isoOf(day).split("-")
  const weekday = weekdayOf(day)
  if (weekday === friday && month === "11" && Number(date) > 23) {
    return { rows: 120_000, sessions: 130_000, homeShare: 0.9, mobileShare: 0.8 }
  }
  if (weekday === saturday && Number(date) <= 7) return { ...ordinary, rows: 70_000, sessions: 60_000 }
  return weekday === saturday && isoOf(day + 7).slice(5, 7) !== month
    ? { rows: 100_000, sessions: 90_000, homeShare: 0.8, mobileShare: 0.45 }
    : ordinary
}

const friday = 5
const saturday = 6

/** How much of a day is known yet: the last three days still change. */
export const knownShare = (day: Day, today: Day): number => [0.3, 0.7, 0.93, 0.995][today - day] ?? 1

/** The first day, in order of time, that still changes. */
export const firstChangingDay = (today: Day): Day => today - 3
