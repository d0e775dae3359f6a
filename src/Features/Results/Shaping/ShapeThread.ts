import { parentPort } from "node:worker_threads"
import type { Deadline } from "../../../Capacity/Threads.ts"
import { shape, type Shaped, type ShapeRequest } from "./Shape.ts"

export interface ShapeJob {
  /** UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>
  readonly request: ShapeRequest
  /** CPU time for `select`. */
  readonly selectMillis: number
  /** CPU time for the steps after `select`. */
  readonly restMillis: number
}

const send = (message: Shaped | Deadline, moved: ReadonlyArray<ArrayBuffer> = []) =>
  parentPort?.postMessage(message, moved)

parentPort?.on("message", ({ json, request, restMillis, selectMillis }: ShapeJob) => {
  const shaped = shape(new TextDecoder().decode(json), request, {
    onSelect: () => send({ withinMillis: selectMillis }),
    onSelected: () => send({ withinMillis: restMillis })
  })
  send(shaped, "data" in shaped ? [shaped.data.buffer] : [])
})
