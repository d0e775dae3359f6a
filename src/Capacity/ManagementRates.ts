import { Clock, Effect } from "effect"
import type { KeyPrincipal, SessionPrincipal } from "../Domain/Access/Principal.ts"
import { overMemberShare } from "./Capacity.ts"

const windowMillis = 60_000

/** A page of the dashboard with thousands of connections loads them in 25 requests and then asks about once a second. */
const perCaller = 600
const perMember = 1200
const changesPerMember = 200
/** A test sends requests to the provider. */
const testsPerMember = 20

export type ManagementRequest = "read" | "change" | "test"

/** Counts in this process, from minute to minute. Effect's `RateLimiter` would keep each key in memory for ever. */
export const makeManagementRates = Effect.sync(() => {
  let start = 0
  const counts = new Map<string, number>()

  return Effect.fnUntraced(function*(principal: SessionPrincipal | KeyPrincipal, kind: ManagementRequest) {
    const { memberId } = principal
    const now = yield* Clock.currentTimeMillis
    if (now >= start + windowMillis) {
      start = now
      counts.clear()
    }
    const limits = [
      {
        subject: principal.via === "key" ? principal.keyId : principal.sessionId,
        limit: perCaller,
        what: "management requests"
      },
      { subject: memberId, limit: perMember, what: "management requests" },
      ...kind === "read" ? [] : [{ subject: `${memberId} changes`, limit: changesPerMember, what: "changes" }],
      ...kind === "test" ? [{ subject: `${memberId} tests`, limit: testsPerMember, what: "connection tests" }] : []
    ]
    for (const { limit, subject, what } of limits) {
      const count = (counts.get(subject) ?? 0) + 1
      counts.set(subject, count)
      if (count > limit) {
        const seconds = Math.max(1, Math.ceil((start + windowMillis - now) / 1000))
        return yield* overMemberShare(
          `Too many ${what}: at most ${limit} a minute. Try again in ${seconds} seconds.`,
          seconds
        )
      }
    }
  })
})
