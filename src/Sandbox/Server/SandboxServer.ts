import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Record } from "effect"
import { HttpMiddleware, HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import { createServer } from "node:http"
import { origins } from "../../Providers/Origins.ts"
import { notFoundPage } from "../Faults/BrokenResponses.ts"
import { FaultInjection } from "../Faults/FaultInjection.ts"
import { Identity } from "../Identity/Identity.ts"
import { identityEndpoints } from "../Identity/IdentityEndpoints.ts"
import { ga4 } from "../Providers/Ga4/FakeProvider.ts"
import { gdocs } from "../Providers/Gdocs/FakeProvider.ts"
import { gsc } from "../Providers/Gsc/FakeProvider.ts"
import { gsheets } from "../Providers/Gsheets/FakeProvider.ts"
import { sitesearch } from "../Providers/Sitesearch/FakeProvider.ts"

/** A provider is one folder and one entry here. */
const standIns = [identityEndpoints, gsc, ga4, sitesearch, gsheets, gdocs]

/** Longer than clients keep a connection that they do not use, so that none of them finds it closed. */
const keepAliveTimeout = 75_000

/** Serves every stand-in below an origin of its own, until the scope is closed. */
export const serve = Effect.gen(function*() {
  const parts = yield* Effect.all(standIns)
  const router = yield* HttpRouter.make
  for (const { apps } of parts) {
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
  // The providers' side is none of the service's traces.
  yield* Effect.provideService(server.serve(app), HttpMiddleware.TracerDisabledWhen, () => true)
  // Clients keep connections open; nobody is to wait for them.
  yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
  const base = HttpServer.formatAddress(server.address)
  return {
    origins: Record.map(origins, (_, origin) => `${base}/${origin}`),
    connections: parts.flatMap(({ connection }) => connection === undefined ? [] : [connection])
  }
})

/** What the stand-ins share. */
export const services = FaultInjection.layer.pipe(Layer.provideMerge(Identity.layer))
