import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { manage, sitesList } from "../Http/Fixture.ts"
import { bodyOf } from "../support/Answer.ts"
import type { Recorded } from "../support/LoopbackUpstream.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { histories, play } from "./History.ts"
import { inInstance, which, World } from "./World.ts"

const read = (key: string) => Effect.flatMap(TestServer, ({ call }) => call(key, sitesList))

const minute = 60_000
const hour = 60 * minute

let grants = 0

layer(World.layer, { excludeTestServices: true })("A connection of two instances", (it) => {
  it.effect(
    "has its token refreshed once, though many calls wait for it and answers are lost",
    () =>
      histories(
        "token refreshes",
        fc.record({ instance: which }),
        ["2 seconds", "1 hour"],
        (steps) =>
          Effect.gen(function*() {
            const { name, readOnly } = yield* inInstance(0, seed({ credentials: expiredGrant(`once-${++grants}`) }))
            const grant = `once-${grants}-`
            // Other connections of the instances are checked in the background.
            const isToken = ({ body, url }: Recorded) => url.startsWith("/googleToken") && body.includes(grant)
            const validUntil = new Map<string, number>()
            const used: Array<boolean> = []
            const { results, sent } = yield* play([...steps, { instance: 0 as const }], {
              start: ({ instance }) => inInstance(instance, read(readOnly)),
              reply: (request, at) => {
                if (isToken(request)) {
                  const access_token = `ya29.${name}-${validUntil.size}`
                  validUntil.set(`Bearer ${access_token}`, at + hour)
                  return { body: { access_token, expires_in: hour / 1000 } }
                }
                const { authorization = "" } = request.headers
                if (authorization.includes(name)) used.push((validUntil.get(authorization) ?? 0) > at)
                return { body: request.url.startsWith("/googleToken") ? { error: "invalid_grant" } : { siteEntry: [] } }
              },
              waits: isToken
            })
            const beside = sent.filter(({ beside }) => beside.length > 0)
            // An instance that was paused for an hour has lost its lease.
            assert.isTrue(
              beside.every(({ arrivedAt, beside }) => beside.every((since) => arrivedAt - since >= hour)),
              "refreshes at the same time"
            )
            const done = sent.filter(({ outcome }) => outcome === "done")
            for (const [index, { arrivedAt }] of beside.length > 0 ? [] : sent.entries()) {
              const isNew = done.some((each) =>
                sent.indexOf(each) < index && arrivedAt - each.arrivedAt < hour - minute
              )
              assert.isFalse(isNew, "refreshed although the token was new")
            }
            assert.deepStrictEqual(used, results.filter(({ status }) => status === 200).map(() => true))
            assert.strictEqual((yield* inInstance(1, read(readOnly))).status, 200, "no token is lost")
          })
      ),
    600_000
  )

  it.effect("is asked nothing more by an instance that has stopped it", () =>
    histories(
      "revocations",
      fc.record({ instance: which, act: fc.constantFrom("read", "read", "read", "revoke") }),
      ["1 minute"],
      (steps) =>
        Effect.gen(function*() {
          const { connection, readOnly } = yield* inInstance(0, seed())
          const { now } = yield* World
          const stopped = [false, false]
          let stoppedAt = Infinity
          const { results } = yield* play([...steps, { instance: 0 as const, act: "revoke" }], {
            start: ({ act, instance }) =>
              inInstance(
                instance,
                Effect.gen(function*() {
                  // The other instance hears of it.
                  const wasStopped = stopped[instance] || (yield* now) > stoppedAt
                  const answer = yield* act === "read"
                    ? read(readOnly)
                    : manage("POST", "/revocations", { connection_ids: [connection.id] })
                  if (act === "revoke" || bodyOf(answer).error !== undefined && answer.status === 404) {
                    stopped[instance] = true
                    stoppedAt = Math.min(stoppedAt, yield* now)
                  }
                  return { act, wasStopped, answer }
                })
              ),
            reply: () => ({ body: {} }),
            waits: ({ url }) => url.startsWith("/gsc")
          })
          for (const { act, answer, wasStopped } of results) {
            if (act === "read" && wasStopped) assert.strictEqual(answer.status, 404, answer.text)
          }
        })
    ), 600_000)
})
