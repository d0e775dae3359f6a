import { Clock, DateTime, Duration, Effect, Option } from "effect"
import type { UpstreamResponse } from "../../Outbound/UpstreamResponse.ts"
import type { Upstream, UpstreamRequest } from "../../Providers/Upstream.ts"
import type { Findings } from "./Findings.ts"

const maxRequests = 30
const timeOfAll = Duration.seconds(19)
const timeOfOne = Duration.seconds(6)

/** Google accepts assertions whose time is a few minutes off. This leaves room for slow requests. */
const maxSkew = Duration.minutes(1)

/** `undefined` without a response, and after the last request that a round may send. */
export type Ask = (
  request: Omit<UpstreamRequest, "repeatable" | "deadline">
) => Effect.Effect<UpstreamResponse | undefined>

/** Sends the requests of one round of checks. Notes whether Google responds, and whether its clock agrees with ours. */
export const startAsking = (upstream: Upstream["Service"], findings: Findings) =>
  Effect.map(Clock.currentTimeMillis, (start): Ask => {
    let left = maxRequests
    const end = start + Duration.toMillis(timeOfAll)
    return Effect.fnUntraced(function*(request) {
      const now = yield* Clock.currentTimeMillis
      if (left === 0 || now >= end) return undefined
      left -= 1
      const deadline = Math.min(end, now + Duration.toMillis(timeOfOne))
      const response = yield* Effect.catchTags(upstream.exchange({ ...request, repeatable: false, deadline }), {
        UpstreamUnreachable: ({ message }) =>
          Effect.sync((): undefined => {
            findings.note("egress", "wrong", message, { host: request.url.host })
          }),
        RateLimited: () => Effect.undefined
      })
      if (response === undefined) return undefined
      findings.note("egress", "ok")
      noteClock(response, findings)
      return response
    })
  })

/** Reads the clock of the machine itself, which this check is about. */
const noteClock = ({ headers }: UpstreamResponse, findings: Findings) => {
  const date = Option.getOrUndefined(DateTime.make(headers["date"] ?? ""))
  if (date === undefined) return
  const skew = DateTime.toEpochMillis(date) - Date.now()
  if (Math.abs(skew) < Duration.toMillis(maxSkew)) return findings.note("clock", "ok")
  const seconds = Math.round(Math.abs(skew) / 1000)
  findings.note("clock", "wrong", `The clock here is ${seconds} s ${skew < 0 ? "ahead of" : "behind"} Google's.`)
}
