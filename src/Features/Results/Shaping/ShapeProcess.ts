import { serveJobs } from "../../../Capacity/ServeJobs.ts"
import { shape, type Shaped, type ShapeRequest } from "./Shape.ts"

export interface ShapeJob {
  /** UTF-8. */
  readonly json: Uint8Array
  readonly request: ShapeRequest
  /** CPU time for `select`. */
  readonly selectMillis: number
  /** CPU time for the steps after `select`. */
  readonly restMillis: number
}

serveJobs(({ json, request, restMillis, selectMillis }: ShapeJob, setDeadline): Shaped =>
  shape(new TextDecoder().decode(json), request, {
    onSelect: () => setDeadline(selectMillis),
    onSelected: () => setDeadline(restMillis)
  })
)
