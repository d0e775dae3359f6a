import { company, type PageKind, pages } from "../../Data/Company.ts"
import { type Day, timeOf } from "../../Data/Day.ts"
import type { Site } from "./Sites.ts"

interface Sitemap {
  readonly path: string
  readonly index?: string
  readonly type: "sitemap" | "rssFeed"
  readonly isIndex: boolean
  readonly submittedDaysAgo: number
  readonly downloadedDaysAgo: number
  readonly warnings: number
  readonly kinds: ReadonlyArray<PageKind>
}

const index = `${company.shop}/sitemap.xml`

const sitemaps: ReadonlyArray<Sitemap> = [
  {
    path: index,
    type: "sitemap",
    isIndex: true,
    submittedDaysAgo: 402,
    downloadedDaysAgo: 1,
    warnings: 0,
    kinds: ["home", "category", "product", "info"]
  },
  {
    path: `${company.shop}/sitemap_products.xml`,
    index,
    type: "sitemap",
    isIndex: false,
    submittedDaysAgo: 402,
    downloadedDaysAgo: 1,
    warnings: 0,
    kinds: ["product"]
  },
  {
    path: `${company.shop}/sitemap_pages.xml`,
    index,
    type: "sitemap",
    isIndex: false,
    submittedDaysAgo: 402,
    downloadedDaysAgo: 3,
    warnings: 0,
    kinds: ["home", "category", "info"]
  },
  {
    path: `${company.blog}/sitemap.xml`,
    type: "sitemap",
    isIndex: false,
    submittedDaysAgo: 390,
    downloadedDaysAgo: 2,
    warnings: 2,
    kinds: ["guide"]
  },
  {
    path: `${company.blog}/feed.xml`,
    type: "rssFeed",
    isIndex: false,
    submittedDaysAgo: 388,
    downloadedDaysAgo: 4,
    warnings: 0,
    kinds: ["guide"]
  }
]

const toWire = ({ downloadedDaysAgo, isIndex, kinds, path, submittedDaysAgo, type, warnings }: Sitemap, today: Day) => {
  const count = pages.filter((page) => kinds.includes(page.kind) && page.url.startsWith(new URL(path).origin)).length
  return {
    path,
    lastSubmitted: timeOf(today - submittedDaysAgo, 33_127),
    isPending: false,
    isSitemapsIndex: isIndex,
    type,
    lastDownloaded: timeOf(today - downloadedDaysAgo, 17_454),
    warnings: `${warnings}`,
    errors: "0",
    contents: [{ type: "web", submitted: `${count}`, indexed: "0" }]
  }
}

export const listSitemaps = (site: Site, today: Day, inIndex?: string) => {
  const listed = sitemaps.filter((sitemap) => site.contains(sitemap.path) && sitemap.index === inIndex)
  return listed.length === 0 ? {} : { sitemap: listed.map((sitemap) => toWire(sitemap, today)) }
}

export const getSitemap = (site: Site, path: string, today: Day) => {
  const found = sitemaps.find((sitemap) => sitemap.path === path && site.contains(path))
  return found === undefined ? undefined : toWire(found, today)
}

export const sitemapsOfPage = (url: string, kind: PageKind): ReadonlyArray<string> =>
  sitemaps
    .filter(({ isIndex, kinds, path }) => !isIndex && kinds.includes(kind) && url.startsWith(new URL(path).origin))
    .map(({ path }) => path)
