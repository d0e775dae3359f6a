import { Effect } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import type { Meter } from "./Meter.ts"

const samplingIntervalMillis = 20

/** Node's values include the sampling interval. */
const delaySeconds = (nanos: number) => Math.max(0, nanos / 1e9 - samplingIntervalMillis / 1e3)

/** https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics */
export const observeProcess = Effect.fnUntraced(function*(meter: Meter) {
  meter.total(
    { name: "process_cpu_seconds_total", help: "User and system CPU time spent, in seconds." },
    () => {
      const { system, user } = process.cpuUsage()
      return (system + user) / 1e6
    }
  )
  meter.gauge(
    { name: "process_start_time_seconds", help: "When the process started, in seconds since the epoch." },
    () => performance.timeOrigin / 1e3
  )
  meter.gauge(
    { name: "process_resident_memory_bytes", help: "Resident memory, in bytes." },
    () => process.memoryUsage.rss()
  )
  meter.gauge(
    { name: "nodejs_heap_size_used_bytes", help: "Used JavaScript heap, in bytes." },
    () => process.memoryUsage().heapUsed
  )

  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: samplingIntervalMillis })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  meter.gauge(
    {
      name: "nodejs_eventloop_lag_p99_seconds",
      help: "99th percentile of event loop delays since the last scrape, in seconds."
    },
    () => delaySeconds(delay.percentile(99))
  )
  meter.gauge(
    {
      name: "nodejs_eventloop_lag_max_seconds",
      help: "Longest event loop delay since the last scrape, in seconds."
    },
    () => {
      const longest = delaySeconds(delay.max)
      delay.reset()
      return longest
    }
  )
})
