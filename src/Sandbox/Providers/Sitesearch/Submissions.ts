import { DateTime, Effect, Option, Result, Schema } from "effect"
import { SandboxStore } from "../../Data/SandboxStore.ts"
import type { Site } from "./Sites.ts"
import { type SitesearchError, sitesearchError } from "./SitesearchError.ts"

const dailyQuota = 100
const monthlyQuota = 1300
const maxBatch = 500

const Submitted = Schema.Struct({
  day: Schema.String,
  ofDay: Schema.Number,
  month: Schema.String,
  ofMonth: Schema.Number
})
const decode = Schema.decodeUnknownOption(Submitted)

const kind = "sitesearch-submissions"

export const submissions = Effect.map(SandboxStore, (store) => {
  /** Returns what is left of the quotas. */
  const takeAll = (site: Site, count: number) =>
    Effect.flatMap(DateTime.now, (now) => {
      const day = DateTime.formatIsoDateUtc(now)
      const month = day.slice(0, 7)
      return store.modify(kind, site.url, (current) => {
        const before = Option.getOrUndefined(Option.flatMap(current, decode))
        const ofDay = (before?.day === day ? before.ofDay : 0) + count
        const ofMonth = (before?.month === month ? before.ofMonth : 0) + count
        if (ofDay > dailyQuota || ofMonth > monthlyQuota) return Result.fail(quotaExceeded(count, ofDay - count))
        return Result.succeed({
          result: { day: dailyQuota - ofDay, month: monthlyQuota - ofMonth },
          ...(count === 0 ? {} : { next: { day, ofDay, month, ofMonth } })
        })
      })
    })

  return {
    quota: (site: Site) =>
      Effect.map(takeAll(site, 0), ({ day, month }) => ({
        __type: "UrlSubmissionQuota:#Microsoft.Bing.Webmaster.Api",
        DailyQuota: day,
        MonthlyQuota: month
      })),
    submit: (site: Site, urls: ReadonlyArray<string>): Effect.Effect<null, SitesearchError> => {
      if (urls.length === 0 || urls.length > maxBatch) return Effect.fail(sitesearchError("InvalidParameter"))
      const isForeign = urls.some((url) => !url.startsWith(site.url) && `${url}/` !== site.url)
      return isForeign ? Effect.fail(sitesearchError("InvalidUrl")) : Effect.as(takeAll(site, urls.length), null)
    }
  }
})

const quotaExceeded = (count: number, before: number): SitesearchError =>
  count === 1
    ? sitesearchError("UnknownError", `You have exceeded your daily url submission quota : ${dailyQuota}`)
    : sitesearchError("InvalidParameter", `Quota remaining for today: ${dailyQuota - before}, Submitted: ${count}`)
