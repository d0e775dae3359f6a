import type { Effect } from "effect"
import type { RateLimited } from "../../Api/Errors.ts"

/** The response of a provider. `body` is parsed only where it is needed. */
export interface AttemptResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: () => unknown
}

/** The units of one request, for as long as it is under way. */
export interface Permit {
  /** True if the request waited, so that its caller may have lost rights. */
  readonly waited: boolean
  /** Called before each attempt. The first has its units, each further one takes new ones. */
  attempt(): Effect.Effect<void, RateLimited> | undefined
  /** False for a client of a team's own that ignores the permit. */
  isAttempted(): boolean
  /** Called after each response. */
  learn(response: AttemptResponse): Effect.Effect<void>
  /** Called once. Gives back the units of a request that was not sent. */
  end(wasSent: boolean): void
}
