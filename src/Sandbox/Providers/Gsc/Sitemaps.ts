import { company, type PageKind, pages } from "../../Data/Company.ts"
import { type Day, timeOf } from "../../Data/Day.ts"
import type { Site } from "./Sites.ts"

/** A sitemap of the company's; the days are counted back from today. */
interface Sitemap {
  readonly path: string
  /** The index that lists it; absent where it was submitted itself. */
  readonly index?: string
  readonly type: "sitemap" | "rssFeed"
  readonly isIndex: boolean
  readonly submitted: number
  readonly downloaded: number
  readonly warnings: number
  readonly kinds: ReadonlyArray<PageKind>
}

const index = `${company.shop}/sitemap.xml`

const sitemaps: ReadonlyArray<Sitemap> = [
  {
    path: index,
    type: "sitemap",
    isIndex: true,
    submitted: 402,
    downloaded: 1,
    warnings: 0,
    kinds: ["home", "category", "product", "info"]
  },
  {
    path: `${company.shop}/sitemap_products.xml`,
    index,
    type: "sitemap",
    isIndex: false,
    submitted: 402,
    downloaded: 1,
    warnings: 0,
    kinds: ["product"]
  },
  {
    path: `${company.shop}/sitemap_pages.xml`,
    index,
    type: "sitemap",
    isIndex: false,
    submitted: 402,
    downloaded: 3,
    warnings: 0,
    kinds: ["home", "category", "info"]
  },
  {
    path: `${company.blog}/sitemap.xml`,
    type: "sitemap",
    isIndex: false,
    submitted: 390,
    downloaded: 2,
    warnings: 2,
    kinds: ["guide"]
  },
  {
    path: `${company.blog}/feed.xml`,
    type: "rssFeed",
    isIndex: false,
    submitted: 388,
    downloaded: 4,
    warnings: 0,
    kinds: ["guide"]
  }
]

const toWire = ({ downloaded, isIndex, kinds, path, submitted, type, warnings }: Sitemap, today: Day) => {
  const count = pages.filter((page) => kinds.includes(page.kind) && page.url.startsWith(new URL(path).origin)).length
  return {
    path,
    lastSubmitted: timeOf(today - submitted, 33_127),
    isPending: false,
    isSitemapsIndex: isIndex,
    type,
    lastDownloaded: timeOf(today - downloaded, 17_454),
    warnings: `${warnings}`,
    errors: "0",
    contents: [{ type: "web", submitted: `${count}`, indexed: "0" }]
  }
}

/** Those that were submitted, or those that an index lists. */
export const listSitemaps = (property: Site, today: Day, ofIndex?: string) => {
  const listed = sitemaps.filter((sitemap) => property.has(sitemap.path) && sitemap.index === ofIndex)
  return listed.length === 0 ? {} : { sitemap: listed.map((sitemap) => toWire(sitemap, today)) }
}

/** `undefined` where the property has no such sitemap. */
export const getSitemap = (property: Site, path: string, today: Day) => {
  const found = sitemaps.find((sitemap) => sitemap.path === path && property.has(path))
  return found === undefined ? undefined : toWire(found, today)
}

/** The sitemaps that list a page. */
export const sitemapsWith = (url: string, kind: PageKind): ReadonlyArray<string> =>
  sitemaps
    .filter(({ isIndex, kinds, path }) => !isIndex && kinds.includes(kind) && url.startsWith(new URL(path).origin))
    .map(({ path }) => path)
