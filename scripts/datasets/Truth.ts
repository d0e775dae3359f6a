import { parquetReadObjects } from "hyparquet"
import { dayOf } from "../../src/Sandbox/Data/Day.ts"
import { catalogueOf, knownShare, market } from "../../src/Sandbox/Data/Portfolio.ts"
import { countries, devices, searchesOn } from "../../src/Sandbox/Providers/Gsc/CustomerSearches.ts"

export interface Compared {
  readonly rows: number
  /** Rows of the property that the file lacks. */
  readonly missing: number
  readonly twice: number
  /** Rows with fewer clicks or impressions than the property has. */
  readonly partial: number
  /** Rows that the property does not have, or with other figures. */
  readonly wrong: number
}

interface Figures {
  clicks: number
  impressions: number
  positions: number
}

const { pages, queryAt } = catalogueOf(market)

/** Every row that Search Console does not withhold, read from the data and not through the interface. */
const truthOf = (day: string, today: string, dimensions: ReadonlyArray<string>): Map<string, Figures> => {
  const searches = searchesOn(market, dayOf(day), knownShare(dayOf(day), dayOf(today)))
  const rows = new Map<string, Figures>()
  for (let index = 0; index < searches.length; index++) {
    const query = searches.query[index] ?? -1
    if (query === -1 && dimensions.includes("query")) continue
    const audience = searches.audience[index] ?? 0
    const values: Readonly<Record<string, string | undefined>> = {
      query: dimensions.includes("query") ? queryAt(query) : "",
      page: pages[searches.page[index] ?? 0]?.url,
      country: countries[Math.floor(audience / devices.length)],
      device: devices[audience % devices.length]
    }
    const key = dimensions.map((dimension) => values[dimension]).join("\n")
    const row = rows.get(key) ?? { clicks: 0, impressions: 0, positions: 0 }
    rows.set(key, row)
    row.clicks += searches.clicks[index] ?? 0
    row.impressions += searches.impressions[index] ?? 0
    row.positions += searches.positionSum[index] ?? 0
  }
  return rows
}

/** @param today in Pacific time */
export const compare = async (
  file: ArrayBuffer,
  day: string,
  today: string,
  dimensions: ReadonlyArray<string>
): Promise<Compared> => {
  const truth = truthOf(day, today, dimensions)
  const seen = new Set<string>()
  let [known, twice, partial, wrong] = [0, 0, 0, 0]
  const rows = await parquetReadObjects({ file })
  for (const { clicks, impressions, position, ...values } of rows) {
    const key = dimensions.map((dimension) => values[dimension]).join("\n")
    if (seen.has(key)) twice++
    seen.add(key)
    const figures = truth.get(key)
    if (figures === undefined || clicks > figures.clicks || impressions > figures.impressions) {
      wrong++
      continue
    }
    known++
    if (clicks < figures.clicks || impressions < figures.impressions) partial++
    else if (Math.abs(position - figures.positions / figures.impressions) > 1e-9) wrong++
  }
  return { rows: rows.length, missing: truth.size - known + twice, twice, partial, wrong }
}
