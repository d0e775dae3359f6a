import { Effect } from "effect"
import { Metrics } from "../Observability/Metrics.ts"
import { Catalog } from "../Providers/Catalog.ts"
import type { CallLog, CompletedCall } from "./Log/CallLog.ts"

type Append = CallLog["Service"]["append"]

/** What a caller may have made up. */
const unknown = "unknown"

/** Counts every call that is appended to the log, and those that would be but are too many. */
export const countCalls = Effect.fnUntraced(function*(append: Append): Effect.fn.Return<Append, never, Catalog> {
  const meter = yield* Metrics
  if (meter === undefined) return append
  const { providers } = yield* Catalog
  const targets = new Map(providers.map(({ endpoints, id, tools }) => [
    id,
    new Set([...endpoints.map(({ id }) => `raw:${id}`), ...tools.map(({ name }) => `tool:${name}`)])
  ]))
  const calls = meter.counter({
    name: "openaccounts_calls_total",
    help: "Calls answered, by outcome; those in error also by error_code."
  })
  const duration = meter.histogram({
    name: "openaccounts_call_duration_seconds",
    help: "What callers waited inside the service, as in latency_ms."
  })

  const labelsOf = ({ provider, target }: CompletedCall) => {
    const known = provider === null ? undefined : targets.get(provider)
    if (provider === null || known === undefined) return { provider: unknown, target: unknown }
    return { provider, target: target !== null && known.has(target) ? target : unknown }
  }

  return (call) =>
    Effect.suspend(() => {
      const { error_code, latency_ms, outcome } = call
      const labels = labelsOf(call)
      calls({ ...labels, outcome, ...(error_code === null ? {} : { error_code }) })
      duration(labels, latency_ms / 1000)
      return append(call)
    })
})
