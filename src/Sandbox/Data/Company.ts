import { type Day, weekdayOf } from "./Day.ts"

export const company = {
  name: "Fernhill Garden Tools",
  domain: "fernhill.example",
  account: "demo@fernhill.example",
  shop: "https://www.fernhill.example",
  blog: "https://blog.fernhill.example",
  formerShop: "https://old.fernhill.example"
} as const

export type PageKind = "home" | "category" | "product" | "guide" | "info"

export interface Page {
  readonly url: string
  readonly path: string
  readonly title: string
  readonly kind: PageKind
  readonly topic: string
}

const list = (text: string): ReadonlyArray<string> => text.split(",").map((item) => item.trim())

const products = list(`
  bypass secateurs, garden trowel, raised bed kit, watering can, pruning saw, compost bin, garden gloves,
  leaf rake, hand fork, potting bench, hose reel, plant labels, garden kneeler, hori hori knife, seed tray,
  cold frame, wheelbarrow, lawn edger, dibber, garden twine, cloche, soil ph meter, bulb planter, loppers
`)

const categories = ["pruning tools", "digging tools", "watering", "raised beds", "greenhouse", "gifts for gardeners"]

const guides = list(`
  how to prune roses, when to plant tulip bulbs, how to sharpen secateurs, raised bed soil mix,
  what to plant in march, how to start composting, companion planting chart, how to get rid of slugs,
  growing tomatoes from seed, when to prune hydrangeas, how to make leaf mould, best plants for shade,
  how to overwinter dahlias, no dig gardening, when to sow sweet peas, how to test soil ph,
  garden jobs for april, how to divide hostas, growing potatoes in bags, how to clean garden tools,
  when to prune apple trees, how to propagate lavender, small garden ideas, how to build a cold frame
`)

const infos = ["delivery", "returns", "about us", "contact", "gift cards"]

const slug = (text: string) => text.replaceAll(" ", "-")
const titled = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

const page = (host: string, path: string, kind: PageKind, topic: string): Page => ({
  url: `${host}${path}`,
  path,
  kind,
  topic,
  title: `${titled(topic)} – ${kind === "guide" ? "Fernhill Journal" : company.name}`
})

export const pages: ReadonlyArray<Page> = [
  page(company.shop, "/", "home", "fernhill"),
  ...categories.map((topic) => page(company.shop, `/collections/${slug(topic)}`, "category", topic)),
  ...products.map((topic) => page(company.shop, `/products/${slug(topic)}`, "product", topic)),
  ...infos.map((topic) => page(company.shop, `/pages/${slug(topic)}`, "info", topic)),
  page(company.blog, "/", "home", "fernhill journal"),
  ...guides.map((topic) => page(company.blog, `/${slug(topic)}`, "guide", topic))
]

const weekdayFactors = [1.2, 0.98, 0.93, 0.92, 0.9, 0.92, 1.25]

const seasonPeak = 130

export const seasonalFactor = (day: Day): number =>
  (weekdayFactors[weekdayOf(day)] ?? 1) *
  (1 + 0.4 * Math.cos((2 * Math.PI * (day - seasonPeak)) / 365.25)) *
  1.0003 ** (day - 20_500)
