import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"

/** PGlite's `execProtocolRaw` would parse every response and keep it in memory. */
export const pgliteStream = (database: PGlite): Duplex => {
  let hasAnswered = false
  /**
   * PGlite answers without a turn of the event loop. A second answer waits for the next turn, because hundreds of
   * statements that follow from each other's answers would keep all requests waiting.
   */
  const inTurn = (answer: () => void) => {
    if (hasAnswered) return void setImmediate(answer)
    hasAnswered = true
    setImmediate(() => void (hasAnswered = false))
    answer()
  }
  const execute = (stream: Duplex, message: Uint8Array, done: (error?: Error | null) => void) => {
    const response: Array<Uint8Array> = []
    // Copied, because PGlite reuses the memory.
    database.execProtocolRawStream(message, { onRawData: (bytes) => void response.push(bytes.slice()) }).then(
      () =>
        inTurn(() => {
          if (response.length > 0) stream.push(Buffer.concat(response))
          done()
        }),
      done
    )
  }
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      execute(stream, chunk, done)
    },
    writev(chunks, done) {
      execute(stream, Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
    },
    final(done) {
      stream.push(null)
      done()
    }
  })
  process.nextTick(() => stream.emit("connect"))
  return stream
}
