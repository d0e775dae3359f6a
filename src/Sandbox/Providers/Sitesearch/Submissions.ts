import { DateTime, Effect, Option, Result, Schema } from "effect"
import { SandboxStore } from "../../Data/SandboxStore.ts"
import type { Site } from "./Sites.ts"
import { type SitesearchError, sitesearchError } from "./SitesearchError.ts"

const daily = 100
const monthly = 1300
const maxBatch = 500

/** What has been submitted for a site; counts of another day or month are over. */
const Submitted = Schema.Struct({
  day: Schema.String,
  ofDay: Schema.Number,
  month: Schema.String,
  ofMonth: Schema.Number
})
const decode = Schema.decodeUnknownOption(Submitted)

const kind = "sitesearch-submissions"

interface Left {
  readonly day: number
  readonly month: number
}

/** The quotas for submissions, which begin anew at midnight UTC. */
export const submissions = Effect.map(SandboxStore, (store) => {
  /** What is left once `count` more have been submitted; more than the day's rest is refused as a whole. */
  const take = (site: Site, count: number): Effect.Effect<Left, SitesearchError> =>
    Effect.flatMap(DateTime.now, (now) => {
      const day = DateTime.formatIsoDateUtc(now)
      const month = day.slice(0, 7)
      return store.modify(kind, site.url, (current) => {
        const before = Option.getOrUndefined(Option.flatMap(current, decode))
        const ofDay = (before?.day === day ? before.ofDay : 0) + count
        const ofMonth = (before?.month === month ? before.ofMonth : 0) + count
        if (ofDay > daily || ofMonth > monthly) return Result.fail(exceeded(count, ofDay - count))
        return Result.succeed({
          result: { day: daily - ofDay, month: monthly - ofMonth },
          ...(count === 0 ? {} : { next: { day, ofDay, month, ofMonth } })
        })
      })
    })

  return {
    quota: (site: Site) =>
      Effect.map(take(site, 0), ({ day, month }) => ({
        __type: "UrlSubmissionQuota:#Microsoft.Bing.Webmaster.Api",
        DailyQuota: day,
        MonthlyQuota: month
      })),
    submit: (site: Site, urls: ReadonlyArray<string>): Effect.Effect<null, SitesearchError> => {
      if (urls.length === 0 || urls.length > maxBatch) return Effect.fail(sitesearchError("InvalidParameter"))
      const foreign = urls.some((url) => !url.startsWith(site.url) && `${url}/` !== site.url)
      return foreign ? Effect.fail(sitesearchError("InvalidUrl")) : Effect.as(take(site, urls.length), null)
    }
  }
})

const exceeded = (count: number, before: number): SitesearchError =>
  count === 1
    ? sitesearchError("UnknownError", `You have exceeded your daily url submission quota : ${daily}`)
    : sitesearchError("InvalidParameter", `Quota remaining for today: ${daily - before}, Submitted: ${count}`)
