import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as fc from "fast-check"
import { manage, sitesList } from "../Http/Fixture.ts"
import type { Recorded } from "../support/LoopbackUpstream.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { histories, longest, play, wasPaused } from "./History.ts"
import { inInstance, type Which, which, World } from "./World.ts"

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
            // An instance that was paused for an hour has lost its lease, and may still send what it was about to.
            assert.isTrue(
              beside.every(({ beside, during }) => beside.every((from) => wasPaused(steps, hour, [from, during[0]]))),
              "refreshes at the same time"
            )
            // The hour of a token begins when it is asked for.
            const done = sent.filter(({ during, outcome }) => outcome === "done" && !wasPaused(steps, hour, during))
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
    longest
  )

  it.effect(
    "is asked nothing more once it was stopped, by neither instance",
    () =>
      histories("revocations", fc.record({ instance: which, act: fc.constantFrom("read", "read", "stop") }), [
        "1 minute"
      ], (steps) =>
        Effect.gen(function*() {
          const credentials = expiredGrant(`stopped-${++grants}`)
          const { connection, readOnly } = yield* inInstance(0, seed({ credentials }))
          const { heard, settled, still } = yield* World
          const late: Array<string> = []
          let isStopped = false
          const stop = Effect.fnUntraced(function*(instance: Which) {
            const readOfOther = Effect.forkChild(inInstance(instance === 0 ? 1 : 0, read(readOnly)))
            // It has a copy of the connection.
            const before = yield* readOfOther
            yield* settled
            const body = { connection_ids: [connection.id] }
            const { status, text } = yield* inInstance(instance, manage("POST", "/revocations", body))
            assert.strictEqual(status, 202, text)
            yield* heard
            isStopped = true
            const after = yield* readOfOther
            yield* settled
            return { before, after }
          })
          const start = Effect.fnUntraced(function*({ act, instance }: { act: string; instance: Which }) {
            const wasStopped = isStopped
            if (act === "read") return { wasStopped, answer: yield* inInstance(instance, read(readOnly)) }
            const { after, before } = yield* still(stop(instance))
            yield* Fiber.join(before)
            return { wasStopped: true, answer: yield* Fiber.join(after) }
          })
          const { results } = yield* play([...steps, { instance: 0 as const, act: "stop" }], {
            start,
            reply: () => ({ body: { access_token: `ya29.${grants}`, expires_in: 3600 } }),
            waits: ({ body, url }) => {
              if (isStopped && url.startsWith("/gsc")) late.push(url)
              return url.startsWith("/gsc") || body.includes(`stopped-${grants}`)
            }
          })
          for (const { answer, wasStopped } of results) {
            if (wasStopped) assert.strictEqual(answer.status, 404, answer.text)
          }
          assert.isEmpty(late, "requests after the stop")
        })),
    longest
  )
})
