import { onePerRequest, type Quota } from "../Quota.ts"
import { sitesearchEndpoints } from "./Endpoints.ts"

/** Bing publishes no figure. The eleventh call within a minute was refused, and refusals last for minutes. */
export const sitesearchQuotas: ReadonlyArray<Quota> = [{
  name: "sitesearch.calls.account",
  scope: "account",
  counts: "units",
  windowSeconds: 60,
  limit: 10,
  units: onePerRequest(sitesearchEndpoints.map(({ id }) => id)),
  source: "https://learn.microsoft.com/en-us/bingwebmaster/ (no figure; measured)",
  asOf: "2026-09-09"
}]
