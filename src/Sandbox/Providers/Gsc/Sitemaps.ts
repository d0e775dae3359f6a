import { company, type PageKind, pages } from "../../Data/Company.ts"
import { type Day, timeOf } from "../../Data/Day.ts"
import type { Site } from "./Sites.ts"

interface Sitemap {
  readonly path: string
  readonly submittedDaysAgo: number
  readonly downloadedDaysAgo: number
  readonly warnings: number
  readonly kinds: ReadonlyArray<PageKind>
  readonly index?: string
}

const index = `${company.shop}/sitemap.xml`

const sitemaps: ReadonlyArray<Sitemap> = ([
  [index, 402, 1, 0, ["home", "category", "product", "info"]],
  [`${company.shop}/sitemap_products.xml`, 402, 1, 0, ["product"], index],
  [`${company.shop}/sitemap_pages.xml`, 402, 3, 0, ["home", "category", "info"], index],
  [`${company.blog}/sitemap.xml`, 390, 2, 2, ["guide"]],
  [`${company.blog}/feed.xml`, 388, 4, 0, ["guide"]]
] as const).map(([path, submittedDaysAgo, downloadedDaysAgo, warnings, kinds, inIndex]) => ({
  path,
  submittedDaysAgo,
  downloadedDaysAgo,
  warnings,
  kinds,
  ...(inIndex === undefined ? {} : { index: inIndex })
}))

const toWire = ({ downloadedDaysAgo, kinds, path, submittedDaysAgo, warnings }: Sitemap, today: Day) => {
  const count = pages.filter((page) => kinds.includes(page.kind) && page.url.startsWith(new URL(path).origin)).length
  return {
    path,
    lastSubmitted: timeOf(today - submittedDaysAgo, 33_127),
    isPending: false,
    isSitemapsIndex: path === index,
    type: path.endsWith("feed.xml") ? "rssFeed" : "sitemap",
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
    .filter(({ kinds, path }) => path !== index && kinds.includes(kind) && url.startsWith(new URL(path).origin))
    .map(({ path }) => path)
