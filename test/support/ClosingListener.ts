import { Effect } from "effect"
import { createServer } from "node:net"
import { listening } from "./Listening.ts"

/** Counts connections, and closes each. */
export const closingListener = Effect.gen(function*() {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  return { port: yield* listening(server), connections: () => connections }
})
