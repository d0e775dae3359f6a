/** Holds its event loop three times: for a request, too briefly to count, and for something else. */
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpMiddleware, HttpServerRequest } from "effect/http"
import { groups } from "../../../src/Features/Contracts.ts"
import { declaredRoutes } from "../../../src/Http/Server/DeclaredRoutes.ts"
import { LoopWatch } from "../../../src/Http/Server/LoopWatch.ts"
import { cpuMillis } from "../../support/EventLoop.ts"

const hold = (millis: number) =>
  Effect.sync(() => {
    const end = cpuMillis() + millis
    while (cpuMillis() < end);
  })

const request = HttpServerRequest.fromWeb(new Request("http://localhost/v1/logs/call_1?secret=x"))
const turn = Effect.sleep("500 millis")
const settings = ConfigProvider.layer(ConfigProvider.fromUnknown({ LOG_FORMAT: "json" }))

await Effect.gen(function*() {
  yield* turn
  yield* Effect.provideService(hold(2000), HttpServerRequest.HttpServerRequest, request)
  yield* turn
  yield* hold(100)
  yield* turn
  yield* hold(2000)
}).pipe(
  Effect.provideService(HttpMiddleware.SpanNameGenerator, declaredRoutes(groups).nameOf),
  Effect.provide(Layer.provide(LoopWatch, settings)),
  Effect.runPromise
)
