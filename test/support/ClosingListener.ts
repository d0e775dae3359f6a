import { Effect } from "effect"
import { createServer } from "node:net"

/** Counts connections, and closes each. */
export const closingListener = Effect.gen(function*() {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, () => resume(Effect.void))),
    () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return { port, connections: () => connections }
})
