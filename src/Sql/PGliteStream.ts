import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"

/**
 * The wire to an embedded database: what `PgClient` writes is executed in this process, what the database answers is
 * read back. Messages that arrive together are executed together, which is what makes pipelining pay. (PGlite's
 * `execProtocolRaw` would parse every answer and keep what it found until the end of the process.)
 */
export const pgliteStream = (database: PGlite): Duplex => {
  const execute = (stream: Duplex, message: Uint8Array, done: (error?: Error | null) => void) => {
    const answer: Array<Uint8Array> = []
    // What is handed over is the database's own memory, about to be written again.
    database.execProtocolRawStream(message, { onRawData: (bytes) => void answer.push(bytes.slice()) }).then(() => {
      if (answer.length > 0) stream.push(Buffer.concat(answer))
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
