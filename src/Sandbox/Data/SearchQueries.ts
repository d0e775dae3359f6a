import { type Page, pages } from "./Company.ts"
import { randomOf } from "./SeededRandom.ts"

interface SearchQuery {
  readonly query: string
  readonly dailyImpressions: number
  readonly position: number
  readonly brand: boolean
  readonly page: Page
  readonly second: Page | undefined
}

const variants = {
  home: ["", " shop", " tools", " reviews", " discount code", " sale", " opening times", " login"],
  category: ["", " uk", " set", " online", " sale", " best", " for small gardens"],
  product:
    (", best, uk, review, set, cheap, stainless steel, for beginners, made in sheffield, sale, left handed, with wooden handle")
      .split(","),
  guide: ["", " uk", " for beginners", " step by step", " in pots", " pdf", " mistakes", " rhs"],
  info: ["", " uk"]
}

const journalVariants = ["", " blog", " newsletter"]

const variantsOf = (page: Page): ReadonlyArray<string> =>
  page.topic === "fernhill journal" ? journalVariants : variants[page.kind]

const topImpressions = { home: 90, category: 60, product: 55, guide: 110, info: 5 } as const

const unusualQueries: ReadonlyArray<
  readonly [query: string, dailyImpressions: number, position: number, path: string]
> = [
  ["fern hill garden", 14, 1.6, "/"],
  ["fernhill.example", 9, 1, "/"],
  ["\"hori hori\" knife", 5, 6.2, "/products/hori-hori-knife"],
  ["sécateur japonais", 3, 14.5, "/products/bypass-secateurs"],
  ["gartenschere bypass", 2.4, 17.8, "/products/bypass-secateurs"],
  ["剪定ばさみ", 1.2, 21.4, "/products/bypass-secateurs"],
  ["is a dibber worth it?", 4, 9.3, "/products/dibber"],
  ["12\" leaf rake", 6, 11.2, "/products/leaf-rake"],
  ["gardening gifts under £20", 22, 12.6, "/collections/gifts-for-gardeners"],
  ["slug pellets c++ wildlife safe", 0.6, 28, "/how-to-get-rid-of-slugs"]
]

const isBrand = (page: Page) => page.kind === "home" || page.kind === "info"

const fromTemplates = (): ReadonlyArray<SearchQuery> => {
  const ranks = new Map<Page["kind"], number>()
  return pages.flatMap((page) => {
    const rank = (ranks.get(page.kind) ?? 0) + 1
    ranks.set(page.kind, rank)
    const brand = isBrand(page)
    return variantsOf(page).map((variant, index): SearchQuery => {
      const base = page.kind === "info" ? `fernhill ${page.topic}` : page.topic
      const query = variant === " best" || variant === " cheap" ? `${variant.trim()} ${base}` : `${base}${variant}`
      const chance = randomOf(query)
      return {
        query,
        dailyImpressions: topImpressions[page.kind] / rank ** 0.8 / (index + 1) ** 1.1 * (0.6 + 0.8 * chance),
        position: brand ? 1 + 0.5 * chance : 3 + 21 * randomOf(`position of ${query}`) ** 1.3,
        brand,
        page,
        second: relatedPage(page)
      }
    })
  })
}

const relatedPage = (page: Page): Page | undefined => {
  const words = page.topic.split(" ").filter((word) => word.length > 4)
  return pages.find((other) => other.kind !== page.kind && words.some((word) => other.topic.includes(word)))
}

const unusualSearchQueries = (): ReadonlyArray<SearchQuery> =>
  unusualQueries.flatMap(([query, dailyImpressions, position, path]) => {
    const page = pages.find((page) => page.path === path)
    return page === undefined
      ? []
      : [{ query, dailyImpressions, position, page, brand: position < 2, second: undefined }]
  })

let cached: ReadonlyArray<SearchQuery> | undefined

export const searchQueries = (): ReadonlyArray<SearchQuery> =>
  cached ??= [...new Map([...fromTemplates(), ...unusualSearchQueries()].map((each) => [each.query, each])).values()]
