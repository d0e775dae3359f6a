import { Effect } from "effect"
import type { CallEntry } from "../Domain/Calls/Call.ts"
import { Metrics } from "../Observability/Metrics.ts"
import { Catalog } from "../Providers/Catalog/Catalog.ts"
import type { Append } from "./Log/RefusedCallLimit.ts"

const unknown = "unknown"

export const countCalls = Effect.fnUntraced(
  function*(append: Append): Effect.fn.Return<Append, never, Catalog> {
    const meter = yield* Metrics
    if (meter === undefined) return append
    const { providers } = yield* Catalog
    const targets = new Map(providers.map(({ endpoints, id, tools }) => [
      id,
      new Set([...endpoints.map(({ id }) => `raw:${id}`), ...tools.map(({ name }) => `tool:${name}`)])
    ]))
    const calls = meter.counter({
      name: "openaccounts_calls_total",
      help: "Completed calls, by outcome; those in error also by error_code."
    })
    const duration = meter.histogram({
      name: "openaccounts_call_duration_seconds",
      help: "Seconds that callers waited inside the service, as in latency_ms."
    })

    const labelsOf = ({ provider, target }: CallEntry) => {
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
  }
)
