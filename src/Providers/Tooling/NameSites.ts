import { nameNearest } from "../../Domain/Text/Nearest.ts"

/** The sites whose host and path are nearest to `wanted`. */
export const nameSites = (wanted: string, sites: ReadonlyArray<string>): string =>
  nameNearest(bareSite(wanted), sites, bareSite, (site) => site)

const bareSite = (site: string): string =>
  site.trim().toLowerCase().replace(/^(?:sc-domain:|https?:\/\/)?(?:www\.)?/, "").replace(/\/$/, "")
