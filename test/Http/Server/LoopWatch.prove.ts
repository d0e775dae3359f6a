import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

/** Holds its event loop three times: for a request, too briefly to count, and for something else. */
const program = `
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { LoopWatch } from "${new URL("../../../src/Http/Server/LoopWatch.ts", import.meta.url).href}"

const cpuMillis = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}
const hold = (millis) => Effect.sync(() => {
  const end = cpuMillis() + millis
  while (cpuMillis() < end);
})
const request = HttpServerRequest.fromWeb(new Request("http://localhost/v1/logs/call_1?secret=x"))
const turn = Effect.sleep("500 millis")
const settings = ConfigProvider.layer(ConfigProvider.fromUnknown({ LOG_FORMAT: "json" }))

await Effect.runPromise(Effect.gen(function*() {
  yield* turn
  yield* Effect.provideService(hold(2000), HttpServerRequest.HttpServerRequest, request)
  yield* turn
  yield* hold(100)
  yield* turn
  yield* hold(2000)
}).pipe(Effect.provide(Layer.provide(LoopWatch, settings))))
`

it("the route that holds the event loop is logged while it does", async () => {
  const cwd = new URL("../../..", import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { cwd })
  const messages = stdout.trim().split("\n").map((line) => JSON.parse(line).message)
  assert.deepStrictEqual(messages, [
    "The event loop was held for over 500 ms by GET /v1/logs/:call_id",
    "The event loop was held for over 500 ms by work outside of requests"
  ])
})
