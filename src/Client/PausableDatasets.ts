import type { Dataset, Datasets } from "./Generated/Resources.ts"
import type { RequestOptions } from "./Request.ts"

export interface PausableDatasets extends Datasets {
  /** Ends the run that is under way. Its days stay. */
  readonly pause: (id: string, options?: RequestOptions) => Promise<Dataset>
  /** Starts a run at once, and tries again what has failed. */
  readonly resume: (id: string, options?: RequestOptions) => Promise<Dataset>
}

export const withPauses = (datasets: Datasets): PausableDatasets => ({
  ...datasets,
  pause: (id, options) => datasets.update(id, { paused: true }, options),
  resume: (id, options) => datasets.update(id, { paused: false }, options)
})
