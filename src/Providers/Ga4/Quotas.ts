import { Option, Predicate, Schema } from "effect"
import type { QuotaReport, RawInput } from "../Provider.ts"
import { onePerRequest, type Quota } from "../Quota.ts"

const hour = { windowSeconds: 3600 }
const day = { windowSeconds: 86_400, resets: "America/Los_Angeles" }

/** Most requests cost fewer than ten tokens. `propertyQuota` corrects the figures. */
const tokens = 10
const core = {
  "properties.runReport": tokens,
  "properties.batchRunReports": 3 * tokens,
  "properties.getMetadata": tokens
}
const realtime = { "properties.runRealtimeReport": tokens }
const all = onePerRequest([...Object.keys(core), ...Object.keys(realtime)])

/** https://support.google.com/analytics/answer/9383630: Google may withhold rows with these dimensions. */
const thresholded =
  /"name":"(?:userAgeBracket|userGender|brandingInterest|audienceId|audienceName|audienceResourceName)"/

const isThresholded = ({ body }: { readonly body?: unknown }) => thresholded.test(JSON.stringify(body ?? {})) ? 1 : 0

const quota = (
  name: string,
  scope: Quota["scope"],
  window: Pick<Quota, "windowSeconds" | "resets">,
  more: Pick<Quota, "limit" | "units" | "named" | "reported"> & Partial<Pick<Quota, "counts">>
): Quota => ({
  source: "https://developers.google.com/analytics/devguides/reporting/data/v1/quotas",
  asOf: "2026-11-20",
  counts: "units",
  name: `ga4.${name}.${scope}`,
  scope,
  ...window,
  ...more
})

const tokenQuotas = (category: string, units: Quota["units"]): ReadonlyArray<Quota> => [
  quota(`${category}_tokens_hour`, "project_resource", hour, {
    limit: 14_000,
    units,
    named: /exhaustedpropertytokensforaprojectperhour/,
    reported: "tokensPerProjectPerHour"
  }),
  quota(`${category}_tokens_hour`, "resource", hour, {
    limit: 40_000,
    units,
    named: /exhaustedpropertytokensperhour/,
    reported: "tokensPerHour"
  }),
  quota(`${category}_tokens_day`, "resource", day, {
    limit: 200_000,
    units,
    named: /exhaustedpropertytokensperday/,
    reported: "tokensPerDay"
  })
]

export const ga4Quotas: ReadonlyArray<Quota> = [
  ...tokenQuotas("core", core),
  ...tokenQuotas("realtime", realtime),
  quota("thresholded_hour", "resource", hour, {
    limit: 120,
    units: { "properties.runReport": isThresholded, "properties.batchRunReports": isThresholded },
    named: /exhaustedpotentiallythresholded/,
    reported: "potentiallyThresholdedRequestsPerHour"
  }),
  quota("concurrent", "resource", { windowSeconds: 0 }, {
    counts: "concurrent",
    limit: 10,
    units: all,
    named: /exhaustedconcurrentrequests/
  }),
  // Google refuses everything for the rest of the hour after ten.
  quota("server_errors", "project_resource", hour, {
    counts: "server_errors",
    limit: 8,
    units: all,
    named: /exhaustedservererrors/
  })
]

const Status = Schema.Struct({
  consumed: Schema.Finite.pipe(Schema.optionalKey),
  remaining: Schema.Finite.pipe(Schema.optionalKey)
})
const decodeQuota = Schema.decodeUnknownOption(Schema.Record(Schema.String, Status))

const asksForQuota = (body: unknown): boolean =>
  Predicate.hasProperty(body, "returnPropertyQuota") && body.returnPropertyQuota === true

/** The reports of a batch are counted together: the last one has what remains. */
export const ga4QuotaReport = ({ body }: RawInput, answer: () => unknown): ReadonlyArray<QuotaReport> => {
  const asked = Predicate.hasProperty(body, "requests") && Array.isArray(body.requests)
    ? body.requests.some(asksForQuota)
    : asksForQuota(body)
  if (!asked) return []
  const value = answer()
  const reports: ReadonlyArray<unknown> = Predicate.hasProperty(value, "reports") && Array.isArray(value.reports)
    ? value.reports
    : [value]
  const byQuota = new Map<string, QuotaReport>()
  for (const report of reports) {
    const quotas = Predicate.hasProperty(report, "propertyQuota") ? decodeQuota(report.propertyQuota) : Option.none()
    for (const [quota, { consumed = 0, remaining = 0 }] of Object.entries(Option.getOrElse(quotas, () => ({})))) {
      const before = byQuota.get(quota)
      byQuota.set(quota, {
        quota,
        consumed: consumed + (before?.consumed ?? 0),
        remaining: Math.min(remaining, before?.remaining ?? Infinity)
      })
    }
  }
  return [...byQuota.values()]
}
