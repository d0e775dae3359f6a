import { Context, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"

/**
 * Each value creates a time series, so use no ids and no text from callers. A metric always has the same label names.
 */
export type Labels = Readonly<Record<string, string>>

export interface MetricOptions {
  readonly name: string
  readonly help: string
}

const boundarySeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export class Meter {
  readonly registry: Metric.MetricRegistry = new Map()
  readonly #context = Context.make(Metric.MetricRegistry, this.registry)

  counter({ help, name }: MetricOptions): (labels: Labels) => void {
    const count = this.#byLabels((attributes) =>
      Metric.counter(name, { description: help, attributes, incremental: true })
    )
    return (labels) => count(labels, 1)
  }

  histogram({ help, name }: MetricOptions): (labels: Labels, seconds: number) => void {
    return this.#byLabels((attributes) =>
      Metric.histogram(name, { description: help, attributes, boundaries: boundarySeconds })
    )
  }

  gauge({ help, name }: MetricOptions, read: () => number): void {
    this.#observe(name, { type: "Gauge", description: help }, () => ({ value: read() }))
  }

  total({ help, name }: MetricOptions, read: () => number): void {
    this.#observe(name, { type: "Counter", description: help }, () => ({ count: read(), incremental: true }))
  }

  prometheus(): string {
    return PrometheusMetrics.formatUnsafe(this.#context)
  }

  #byLabels<Input>(make: (labels: Labels) => Metric.Metric<Input, unknown>): (labels: Labels, input: Input) => void {
    const metrics = new Map<string, Metric.Metric<Input, unknown>>()
    return (labels, input) => {
      const key = Object.values(labels).join(" ")
      let metric = metrics.get(key)
      if (metric === undefined) metrics.set(key, metric = make(labels))
      metric.updateUnsafe(input, this.#context)
    }
  }

  #observe(id: string, meta: { readonly type: Metric.Metric.Type; readonly description: string }, get: () => unknown) {
    this.registry.set(id, { id, ...meta, attributes: undefined, hooks: { get, update: () => {}, modify: () => {} } })
  }
}
