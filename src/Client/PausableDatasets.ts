import type { Dataset, Datasets } from "./Generated/Resources.ts"
import type { RequestOptions } from "./Request.ts"

export interface PausableDatasets extends Datasets {
  /** Ends the current run. Days that it has fetched stay. */
  readonly pause: (id: string, options?: RequestOptions) => Promise<Dataset>
  /** Starts a run immediately, and retries failed days. */
  readonly resume: (id: string, options?: RequestOptions) => Promise<Dataset>
}

export const withPauses = (datasets: Datasets): PausableDatasets => ({
  ...datasets,
  pause: (id, options) => datasets.update(id, { paused: true }, options),
  resume: (id, options) => datasets.update(id, { paused: false }, options)
})
