import { parentPort } from "node:worker_threads"
import type { Deadline } from "../../../Capacity/Threads.ts"
import { shape, type Shaped, type ShapeRequest } from "./Shape.ts"

export interface ShapeJob {
  /** UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>
  readonly request: ShapeRequest
  /** Of a select. */
  readonly selectMillis: number
  /** Of what comes after it. */
  readonly restMillis: number
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
const send = (message: Shaped | Deadline) => parentPort?.postMessage(message)

parentPort?.on("message", ({ json, request, restMillis, selectMillis }: ShapeJob) => {
  send(shape(new TextDecoder().decode(json), request, {
    onSelect: () => send({ withinMillis: selectMillis }),
    onSelected: () => send({ withinMillis: restMillis })
  }))
})
