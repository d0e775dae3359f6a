import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"

/** PGlite answers within the turn of the event loop. Once a turn has taken this long, statements wait. */
const turnMillis = 2

/** Node accepts one connection a turn, so that hundreds of new ones need turns without statements. */
const turnsBetween = 4

/** PGlite's `execProtocolRaw` would parse every response and keep it in memory. */
export const pgliteStream = (database: PGlite): Duplex => {
  let turnEnds: number | undefined
  /** Hundreds of statements that wait together, or follow from each other, would keep all requests waiting. */
  const inTurn = (run: () => void) => {
    if (turnEnds === undefined) {
      turnEnds = performance.now() + turnMillis
      setImmediate(() => void (turnEnds = undefined))
    }
    if (performance.now() < turnEnds) run()
    else afterTurns(turnsBetween, () => inTurn(run))
  }
  const execute = async (messages: Buffer): Promise<void> => {
    for (const statement of statementsIn(messages)) {
      await new Promise<void>(inTurn)
      const response: Array<Uint8Array> = []
      // Copied, because PGlite reuses the memory.
      await database.execProtocolRawStream(statement, { onRawData: (bytes) => void response.push(bytes.slice()) })
      if (response.length > 0) stream.push(Buffer.concat(response))
    }
  }
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      execute(chunk).then(() => done(), done)
    },
    final(done) {
      stream.push(null)
      done()
    }
  })
  process.nextTick(() => stream.emit("connect"))
  return stream
}

const afterTurns = (turns: number, run: () => void): void => {
  setImmediate(() => turns === 1 ? run() : afterTurns(turns - 1, run))
}

/** Cuts whole messages of the protocol after each `Sync`. The first message of a connection has no type. */
const statementsIn = (messages: Buffer): ReadonlyArray<Buffer> => {
  const statements: Array<Buffer> = []
  let start = 0
  for (let at = 0; messages[at] !== 0 && at + 5 <= messages.length;) {
    const isSync = messages[at] === sync
    at += 1 + messages.readUInt32BE(at + 1)
    if (!isSync) continue
    statements.push(messages.subarray(start, at))
    start = at
  }
  if (start < messages.length) statements.push(messages.subarray(start))
  return statements
}

const sync = 0x53
