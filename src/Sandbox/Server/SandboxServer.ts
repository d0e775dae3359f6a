import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Record } from "effect"
import { HttpMiddleware, HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import { createServer } from "node:http"
import { origins } from "../../Providers/Origins.ts"
import { FaultInjection } from "../Faults/FaultInjection.ts"
import { Identity } from "../Identity/Identity.ts"
import { identityEndpoints } from "../Identity/IdentityEndpoints.ts"
import { ga4 } from "../Providers/Ga4/FakeProvider.ts"
import { gdocs } from "../Providers/Gdocs/FakeProvider.ts"
import { gsc } from "../Providers/Gsc/FakeProvider.ts"
import { gsheets } from "../Providers/Gsheets/FakeProvider.ts"
import { sitesearch } from "../Providers/Sitesearch/FakeProvider.ts"
import { notFoundPage } from "./HtmlPages.ts"

const fakeProviders = [identityEndpoints, gsc, ga4, sitesearch, gsheets, gdocs]

/** Milliseconds. Longer than clients keep an idle connection, so that they never reuse a closed one. */
const keepAliveTimeout = 75_000

export const serve = Effect.gen(function*() {
  const fakes = yield* Effect.all(fakeProviders)
  const router = yield* HttpRouter.make
  for (const { apps } of fakes) {
    for (const [origin, app] of Object.entries(apps)) {
      yield* router.prefixed(`/${origin}`).add("*", "/*", app)
    }
  }
  const node = createServer({ keepAliveTimeout })
  const server = yield* NodeHttpServer.make(() => node, { host: "127.0.0.1", port: 0, disablePreemptiveShutdown: true })
  const app = Effect.catch(
    router.asHttpEffect(),
    () => Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => notFoundPage(url))
  )
  yield* Effect.provideService(server.serve(app), HttpMiddleware.TracerDisabledWhen, () => true)
  // Idle connections would delay the shutdown.
  yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
  const base = HttpServer.formatAddress(server.address)
  return {
    origins: Record.map(origins, (_, origin) => `${base}/${origin}`),
    connections: fakes.flatMap(({ connection }) => connection === undefined ? [] : [connection])
  }
})

export const services = FaultInjection.layer.pipe(Layer.provideMerge(Identity.layer))
