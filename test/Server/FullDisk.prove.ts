import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sitesList } from "../Http/Fixture.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { startServer } from "../support/ServerProcess.ts"
import { diskAbsence, smallDisk } from "../support/SmallDisk.ts"

const absence = diskAbsence()
// Reporters list no skipped tests.
if (absence !== "") process.stdout.write(`Tests of a full disk${absence}\n`)

describe.skipIf(absence !== "")(`A service with its own database on a full disk${absence}`, () => {
  it.live(
    "answers an error, loses no call that it has answered, and goes on when there is space",
    () =>
      Effect.gen(function*() {
        const { fill, folder, free } = yield* smallDisk(256)
        const upstream = yield* LoopbackUpstream.make
        upstream.handle(() => ({ body: { siteEntry: [{ siteUrl: `https://${"long".repeat(9000)}.example/` }] } }))
        const settings = { QUOTAS: "off", RATE_LIMIT: "100000/second", GSC_BASE_URL: upstream.url }
        const first = yield* startServer(folder, settings)
        const { readOnly } = yield* first.seed()
        const answered: Array<string> = []
        const callOn = ({ send }: typeof first) =>
          Effect.promise(async () => {
            const { status, text } = await send("POST", "/v1/call", readOnly, sitesList)
            const json = JSON.parse(text)
            if (status === 200) answered.push(json.call_id)
            return status === 200 ? "ok" : String(json.error.code)
          })
        const assertLogged = ({ send }: typeof first) =>
          Effect.forEach(answered, (id) =>
            Effect.promise(async () => {
              assert.strictEqual((await send("GET", `/v1/logs/${id}`, readOnly)).status, 200, id)
            }))

        assert.strictEqual(yield* callOn(first), "ok")
        yield* fill(0)
        assert.strictEqual(yield* eventually(callOn(first), (code) => code !== "ok"), "internal_error")
        yield* free
        yield* eventually(callOn(first), (code) => code === "ok")
        yield* assertLogged(first)
        yield* first.kill("SIGKILL")
        yield* first.ended
        yield* assertLogged(yield* startServer(folder, settings))
      }).pipe(Effect.scoped),
    300_000
  )
})
