import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Config, Duration, Effect, Layer, Option } from "effect"
import { adminListenAddress, connectionLimits, listenAddress } from "../../../Settings.ts"
import { AdminListener } from "./AdminListener.ts"
import { DrainingServer } from "./DrainingServer.ts"

/** The queue of new connections. With Node's default of 511, a burst delays new ones by seconds. */
const backlog = 4096

const gracefulShutdownTimeout = Duration.seconds(30)

const closeConnections = (server: DrainingServer) =>
  Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))

const MainListener = Layer.unwrap(
  Effect.map(Config.all([listenAddress, connectionLimits]), ([address, limits]) => {
    const server = new DrainingServer(limits)
    return Layer.effectDiscard(closeConnections(server)).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => server, { ...address, backlog, gracefulShutdownTimeout }))
    )
  })
)

const SeparateListener = Layer.effect(
  AdminListener,
  Effect.gen(function*() {
    const address = yield* adminListenAddress
    if (Option.isNone(address)) return { server: Option.none() }
    const server = new DrainingServer(yield* connectionLimits)
    const listener = yield* NodeHttpServer.make(() => server, { ...address.value, backlog, gracefulShutdownTimeout })
    yield* closeConnections(server)
    return { server: Option.some(listener) }
  })
)

export const Listeners = Layer.merge(MainListener, SeparateListener)
