import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"
import { listening } from "../../support/Listening.ts"

/** A network of two hosts that breaks when it is told to. */
export interface Link {
  readonly port: number
  /** Breaks all connections. */
  readonly cut: () => void
  /** The nth packet from now arrives, and its answer does not: its connection breaks. */
  readonly cutAnswer: (nth: number) => void
  /** Nothing arrives, and no connection breaks. */
  readonly hold: () => void
  /** Packets that were held arrive. */
  readonly heal: () => void
}

export const makeLink = Effect.fnUntraced(function*(target: number) {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isHeld = false
  let untilCut = 0

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: "127.0.0.1", noDelay: true })
    const pair = [near, far] as const
    pairs.add(pair)
    near.on("data", (packet) => {
      far.write(packet)
      if (untilCut === 0 || --untilCut > 0) return
      far.end()
      near.resetAndDestroy()
    })
    far.on("data", (packet) => near.write(packet))
    for (const [one, other] of [pair, pair.toReversed()]) {
      one?.on("error", () => one.destroy()).on("end", () => other?.end()).on("close", () => {
        pairs.delete(pair)
        // A connection whose answer is cut off is closed once its packets have arrived.
        if (!other?.writableEnded) other?.destroy()
      })
      if (isHeld) one?.pause()
    }
  })
  const port = yield* listening(server)
  const all = (act: (socket: Socket) => void) => pairs.forEach((pair) => pair.forEach(act))
  yield* Effect.addFinalizer(() => Effect.sync(() => all((socket) => socket.destroy())))

  const link: Link = {
    port,
    cut: () => all((socket) => socket.resetAndDestroy()),
    cutAnswer: (nth) => {
      untilCut = nth
    },
    hold: () => {
      isHeld = true
      all((socket) => socket.pause())
    },
    heal: () => {
      isHeld = false
      untilCut = 0
      all((socket) => socket.resume())
    }
  }
  return link
})
