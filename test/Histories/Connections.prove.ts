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

let grants = 0

layer(World.layer, { excludeTestServices: true })("A connection of two instances", (it) => {
  it.effect(
    "has its token refreshed once, though many calls wait for it and answers are lost",
    () =>
      histories("token refreshes", fc.record({ instance: which }), (steps) =>
        Effect.gen(function*() {
          const { name, readOnly } = yield* inInstance(0, seed({ credentials: expiredGrant(`once-${++grants}`) }))
          const grant = `once-${grants}-`
          // Other connections of the instances are checked in the background.
          const isToken = ({ body, url }: Recorded) => url.startsWith("/googleToken") && body.includes(grant)
          const used: Array<string | undefined> = []
          let issued = 0
          let unanswered = 0
          const { results, sent } = yield* play([...steps, { instance: 0 as const }], {
            start: ({ instance }) => inInstance(instance, read(readOnly)),
            reply: (request) => {
              if (isToken(request)) {
                return { body: { access_token: `ya29.${name}-${++issued}`, expires_in: 3600 } }
              }
              if (request.headers.authorization?.includes(name)) used.push(request.headers.authorization)
              return { body: request.url.startsWith("/googleToken") ? { error: "invalid_grant" } : { siteEntry: [] } }
            },
            waits: (request) => {
              if (isToken(request)) unanswered++
              return isToken(request)
            },
            answered: () => {
              assert.strictEqual(unanswered, 1, "refreshes at the same time")
              unanswered = 0
            }
          })
          const fates = sent.map(({ outcome }) => outcome)
          assert.isAtMost(fates.filter((fate) => fate === "done").length, 1)
          assert.isTrue(fates.slice(0, -1).every((fate) => fate !== "done"), "refreshed although the token was new")
          const good = results.filter(({ status }) => status === 200)
          assert.lengthOf(used, good.length)
          assert.isTrue(used.every((token) => token === `Bearer ya29.${name}-${issued}`))
          assert.strictEqual((yield* inInstance(1, read(readOnly))).status, 200, "no token is lost")
        })),
    600_000
  )

  it.effect("is asked nothing more by an instance that has stopped it", () =>
    histories(
      "revocations",
      fc.record({ instance: which, act: fc.constantFrom("read", "read", "read", "revoke") }),
      (steps) =>
        Effect.gen(function*() {
          const { connection, readOnly } = yield* inInstance(0, seed())
          const stopped = [false, false]
          const { results } = yield* play([...steps, { instance: 0 as const, act: "revoke" }], {
            start: ({ act, instance }) =>
              inInstance(
                instance,
                Effect.gen(function*() {
                  const wasStopped = stopped[instance]
                  const answer = yield* act === "read"
                    ? read(readOnly)
                    : manage("POST", "/revocations", { connection_ids: [connection.id] })
                  if (act === "revoke" || bodyOf(answer).error !== undefined && answer.status === 404) {
                    stopped[instance] = true
                  }
                  return { act, wasStopped, answer }
                })
              ),
            reply: () => ({ body: {} }),
            waits: ({ url }) => url.startsWith("/gsc")
          })
          for (const { act, answer, wasStopped } of results) {
            if (act === "read" && wasStopped === true) assert.strictEqual(answer.status, 404, answer.text)
          }
        })
    ), 600_000)
})
