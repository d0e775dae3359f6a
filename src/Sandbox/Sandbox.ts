import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Record } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/unstable/http"
import { createServer } from "node:http"
import { type Origin, Origins, origins } from "../Providers/Origins.ts"
import { notFoundPage } from "./Broken.ts"
import { ga4 } from "./Ga4/Ga4.ts"
import { gdocs } from "./Gdocs/Gdocs.ts"
import { gsc } from "./Gsc/Gsc.ts"
import { gsheets } from "./Gsheets/Gsheets.ts"
import { Identity } from "./Identity.ts"
import { identityEndpoints } from "./IdentityPages.ts"
import { Interference } from "./Interference.ts"
import { SandboxStore } from "./SandboxStore.ts"
import { sitesearch } from "./Sitesearch/Sitesearch.ts"
import type { SandboxConnection } from "./StandIn.ts"

/** Longer than clients keep a connection that they do not use, so that none of them finds it closed. */
const keepAliveTimeout = 75_000

/** A provider is one folder and one entry here. */
const standIns = [identityEndpoints, gsc, ga4, sitesearch, gsheets, gdocs]

/**
 * The providers' stand-in: real HTTP on loopback, in this process, with data that is the same for everybody on the same
 * day. It asks for credentials as the providers do, and fails on request (`Failures.ts`).
 */
export class Sandbox extends Context.Service<Sandbox, {
  readonly origins: Readonly<Record<Origin, string>>
  /** One for each provider, ready for the management API. */
  readonly connections: ReadonlyArray<SandboxConnection>
}>()("openaccounts/Sandbox/Sandbox") {
  static readonly layer = Layer.effect(
    Sandbox,
    Effect.gen(function*() {
      const parts = yield* Effect.all(standIns)
      const router = yield* HttpRouter.make
      for (const { apps } of parts) {
        for (const [origin, app] of Object.entries(apps)) {
          yield* router.prefixed(`/${origin}`).add("*", "/*", app)
        }
      }
      const node = createServer({ keepAliveTimeout })
      const server = yield* NodeHttpServer.make(() => node, {
        host: "127.0.0.1",
        port: 0,
        disablePreemptiveShutdown: true
      })
      yield* server.serve(
        Effect.catch(
          router.asHttpEffect(),
          () => Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => notFoundPage(url))
        )
      )
      // Clients keep connections open; nobody is to wait for them.
      yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
      const base = HttpServer.formatAddress(server.address)
      return Sandbox.of({
        origins: Record.map(origins, (_, origin) => `${base}/${origin}`),
        connections: parts.flatMap(({ connection }) => connection === undefined ? [] : [connection])
      })
    })
  ).pipe(Layer.provide(Interference.layer.pipe(Layer.provideMerge(Identity.layer))))

  /** Forgets what was written when the process ends. */
  static readonly layerMemory = Sandbox.layer.pipe(Layer.provide(SandboxStore.layerMemory))

  /** Sends every provider's traffic to the sandbox. */
  static readonly originsLayer = Layer.effect(Origins, Effect.map(Sandbox, ({ origins }) => origins))
}
