import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Record } from "effect"
import { HttpMiddleware, HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import type { Provider } from "../../Providers/Provider.ts"
import { FaultInjection } from "../Faults/FaultInjection.ts"
import { notFoundPage } from "../HtmlPages.ts"
import { Identity } from "../Identity/Identity.ts"
import { enforceQuotas } from "./EnforceQuotas.ts"
import type { LoadFakeProvider } from "./FakeProvider.ts"
import { Hosting } from "./Hosting.ts"
import { identityEndpoints } from "./IdentityEndpoints.ts"

/** Longer than clients keep an idle connection, so that they never reuse a closed one. */
const keepAliveTimeoutMillis = 75_000

const eventsPath = "/events"

export const serve = Effect.fnUntraced(function*(
  fakeProviders: ReadonlyArray<LoadFakeProvider>,
  providers: ReadonlyArray<Provider>
) {
  const modules = yield* Effect.promise(() => Promise.all(fakeProviders.map((load) => load())))
  const fakes = yield* Effect.all([identityEndpoints, ...modules.map(({ fakeProvider }) => fakeProvider)])
  const { around, originOf, port, routes } = yield* Hosting
  const router = yield* HttpRouter.make
  const withQuotas = yield* enforceQuotas(providers)
  for (const { apps } of fakes) {
    for (const [origin, app] of Object.entries(apps)) {
      yield* router.prefixed(`/${origin}`).add("*", "/*", around(origin, withQuotas(origin, app)))
    }
  }
  for (const [path, app] of Record.toEntries(routes)) yield* router.add("*", path, app)
  yield* router.add("POST", eventsPath, HttpServerResponse.empty({ status: 204 }))
  const node = createServer({ keepAliveTimeout: keepAliveTimeoutMillis })
  const server = yield* NodeHttpServer.make(() => node, { host: "127.0.0.1", port, disablePreemptiveShutdown: true })
  const all = router.asHttpEffect()
  const app = Effect.catch(
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const origin = originOf(request.method, request.url)
      if (origin === undefined) return all
      const moved = request.modify({ url: `/${origin}${request.url}` })
      return Effect.provideService(all, HttpServerRequest.HttpServerRequest, moved)
    }),
    () => Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => notFoundPage(url))
  )
  yield* Effect.provideService(server.serve(app), HttpMiddleware.TracerDisabledWhen, () => true)
  yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
  const base = HttpServer.formatAddress(server.address)
  return {
    originIds: fakes.flatMap(({ apps }) => Object.keys(apps)),
    eventReceiverUrl: `${base}${eventsPath}`,
    urlOf: (origin: string) => `${base}/${origin}`,
    connections: fakes.flatMap(({ connection }) => connection === undefined ? [] : [connection])
  }
})

export const services = FaultInjection.layer.pipe(Layer.provideMerge(Identity.layer))
