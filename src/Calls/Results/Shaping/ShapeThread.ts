import { parentPort } from "node:worker_threads"
import { started } from "../../../Capacity/Threads.ts"
import { shape, type Shaped, type ShapeFailure, type ShapeRequest } from "./Shape.ts"

export interface ShapeJob {
  /** UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>
  readonly request: ShapeRequest
}

export type ShapeAnswer = Shaped | ShapeFailure

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
const send = (message: ShapeAnswer | typeof started) => parentPort?.postMessage(message)

parentPort?.on("message", ({ json, request }: ShapeJob) => {
  send(shape(new TextDecoder().decode(json), request, () => send(started)))
})
