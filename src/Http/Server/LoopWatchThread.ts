import { writeSync } from "node:fs"
import { Session } from "node:inspector"
import { workerData } from "node:worker_threads"

export interface Held {
  readonly route: string
  /** CPU time since the loop last ran. */
  readonly millis: number
}

export interface Watched {
  /** Counts the turns of the loop. */
  readonly beats: Int32Array
  /** The function on the main thread that says what runs there, as the JSON of `Held`. */
  readonly reporterName: string
  readonly format: "json" | "pretty"
}

const { beats, format, reporterName }: Watched = workerData

const maxMillis = 500
const everyMillis = 100

/** The inspector interrupts the main thread between two statements, or after a built-in function. */
const ask = (): Promise<Held> =>
  new Promise((resolve) => {
    const session = new Session()
    session.connectToMainThread()
    session.post("Runtime.evaluate", { expression: `globalThis[${JSON.stringify(reporterName)}]()` }, (_, answer) => {
      session.disconnect()
      resolve(JSON.parse(answer.result.value))
    })
  })

/** Writes to the process itself, because the output of a thread waits for the loop. */
const log = (message: string) => {
  const timestamp = new Date().toISOString()
  const line = format === "json"
    ? JSON.stringify({ timestamp, level: "WARN", message })
    : `[${timestamp.slice(11, 23)}] WARN: ${message}`
  writeSync(1, `${line}\n`)
}

let seen = 0
let asks = false
let silentMillis = 0

// Keeps the thread alive, also while it waits for an answer.
setInterval(async () => {
  const now = Atomics.load(beats, 0)
  silentMillis = now === seen ? silentMillis + everyMillis : 0
  seen = now
  if (silentMillis === 0) asks = false
  if (silentMillis < maxMillis || asks) return
  asks = true
  const { millis, route } = await ask()
  if (millis >= maxMillis) log(`The event loop was held for over ${maxMillis} ms by ${route}`)
  else asks = false
}, everyMillis)
