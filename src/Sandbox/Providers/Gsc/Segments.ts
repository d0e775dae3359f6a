import { company, type Page, pages } from "../../Data/Company.ts"
import { searchQueries } from "../../Data/SearchQueries.ts"
import { randomOf } from "../../Data/SeededRandom.ts"

/** Where a search led to, and from where it came. */
export interface Place {
  /** Without it, Google withholds the query. */
  readonly query: string | undefined
  readonly page: Page
  readonly country: string
  readonly device: string
}

export interface Segment extends Place {
  readonly seed: number
  readonly dailyImpressions: number
  readonly position: number
  readonly brand: boolean
  readonly below: Page | undefined
}

const countries: ReadonlyArray<readonly [string, number]> = [
  ["gbr", 0.56],
  ["usa", 0.19],
  ["irl", 0.07],
  ["aus", 0.05],
  ["can", 0.05],
  ["deu", 0.04],
  ["fra", 0.03],
  ["zzz", 0.01]
]

const devices: ReadonlyArray<readonly [string, number]> = [["MOBILE", 0.58], ["DESKTOP", 0.36], ["TABLET", 0.06]]

interface Audience extends Pick<Place, "country" | "device"> {
  readonly share: number
}

const audiences: ReadonlyArray<Audience> = countries
  .flatMap(([country, inCountry]) =>
    devices.map(([device, onDevice]) => ({ country, device, share: inCountry * onDevice }))
  )
  .toSorted((a, b) => b.share - a.share)

const audiencesOf = (dailyImpressions: number): ReadonlyArray<Audience> =>
  audiences.slice(0, dailyImpressions > 5 ? audiences.length : dailyImpressions > 1 ? 8 : 3)

const anonymizedImpressions = { home: 55, category: 45, product: 22, guide: 34, info: 3 } as const

type Source = Omit<Segment, "country" | "device" | "seed">

const sources = (): ReadonlyArray<Source> => [
  ...searchQueries().flatMap(({ second, ...source }): ReadonlyArray<Source> => [
    { ...source, below: undefined },
    ...(second === undefined
      ? []
      : [{
        ...source,
        page: second,
        below: source.page,
        dailyImpressions: source.dailyImpressions * 0.35,
        position: source.position + 2.4
      }])
  ]),
  ...pages.map((page): Source => ({
    page,
    query: undefined,
    dailyImpressions: anonymizedImpressions[page.kind] * (0.4 + randomOf(page.url)),
    position: 9 + 14 * randomOf(`hidden ${page.url}`),
    brand: false,
    below: undefined
  }))
]

let cached: ReadonlyArray<Segment> | undefined

export const segments = (): ReadonlyArray<Segment> =>
  cached ??= sources()
    .flatMap((source) => audiencesOf(source.dailyImpressions).map((audience) => ({ ...source, ...audience })))
    .map(({ share, ...segment }, seed) => ({ ...segment, seed, dailyImpressions: segment.dailyImpressions * share }))

export const appearancesOf = (page: Page): ReadonlyArray<string> => {
  switch (page.kind) {
    case "product":
      return ["PRODUCT_SNIPPETS", "MERCHANT_LISTINGS"]
    case "guide":
      return page.topic.startsWith("how to") ? ["VIDEO", "TRANSLATED_RESULT"] : ["TRANSLATED_RESULT"]
    default:
      return []
  }
}

export const isOnBlog = (page: Page): boolean => page.url.startsWith(company.blog)
