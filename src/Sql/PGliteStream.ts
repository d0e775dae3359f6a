import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"

/**
 * Connects `PgClient` to an embedded database as if through a socket. Messages that are written together are executed
 * together. Not through PGlite's `execProtocolRaw`, which parses every response and keeps the result in memory.
 */
export const pgliteStream = (database: PGlite): Duplex => {
  const execute = (stream: Duplex, message: Uint8Array, done: (error?: Error | null) => void) => {
    const response: Array<Uint8Array> = []
    // Copied, because the database reuses the memory.
    database.execProtocolRawStream(message, { onRawData: (bytes) => void response.push(bytes.slice()) }).then(() => {
      if (response.length > 0) stream.push(Buffer.concat(response))
      done()
    }, done)
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
