import { Schema } from "effect"

/** A request as it arrived at the provider, at `at` in epoch milliseconds. */
const ProviderRequest = Schema.Struct({ at: Schema.Finite, path: Schema.String, status: Schema.Finite })
export type ProviderRequest = typeof ProviderRequest.Type

const decodeRequests = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(ProviderRequest)))

/** Requests whose path has this in it, in the order of time. */
export const requestsAt = async (provider: string, part: string): Promise<ReadonlyArray<ProviderRequest>> => {
  const response = await fetch(`${provider}/requests`)
  return decodeRequests(await response.text())
    .filter(({ path }) => decodeURIComponent(path).includes(part))
    .toSorted((one, other) => one.at - other.at)
}

const windowMillis = 60_000

/** How many requests the provider has accepted in the minute before. */
export const inWindow = (accepted: ReadonlyArray<ProviderRequest>, now: number): number =>
  accepted.filter(({ at }) => at <= now && at > now - windowMillis).length

/** The most requests that the provider has accepted in any minute. */
export const mostInWindow = (accepted: ReadonlyArray<ProviderRequest>): number =>
  accepted.reduce((most, { at }) => Math.max(most, inWindow(accepted, at)), 0)

export const isAccepted = ({ status }: ProviderRequest): boolean => status === 200
export const isRefused = ({ status }: ProviderRequest): boolean => status === 429
