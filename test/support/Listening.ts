import { Effect } from "effect"
import { once } from "node:events"
import type { Server } from "node:net"

/** The port of a server that listens on the loopback address until the scope closes. */
export const listening = (server: Server & { readonly closeAllConnections?: () => void }) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      await once(server.listen(0, "127.0.0.1"), "listening")
      const address = server.address()
      if (address === null || typeof address === "string") throw new Error("The server has no port")
      return address.port
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections?.()
      })
  )
