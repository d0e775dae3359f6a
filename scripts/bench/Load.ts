/** The load generator: reads a `LoadSpec` from standard input, keeps every connection busy, prints a `LoadResult`. */
import { text } from "node:stream/consumers"
import { Client } from "undici"
import type { LoadResult, LoadSpec } from "./LoadSpec.ts"

const { bodies, connections, headers, method, path, seconds, url }: LoadSpec = JSON.parse(await text(process.stdin))

const latencies: Array<number> = []
const callIds: Array<string> = []
const failures: Array<string> = []
let sent = 0

const sendRequest = (client: Client): Promise<void> =>
  new Promise((resolve) => {
    const start = performance.now()
    const body = bodies[sent++ % bodies.length] ?? ""
    let status = 0
    let callId: unknown
    let responseText = ""
    const fail = (message: string) => {
      failures.push(message)
      resolve()
    }
    client.dispatch({ method, path, headers, body: body === "" ? null : body }, {
      onRequestStart: () => {},
      onResponseStart: (_, statusCode, responseHeaders) => {
        status = statusCode
        callId = responseHeaders["x-call-id"]
      },
      onResponseData: (_, chunk) => {
        if (status !== 200) responseText += chunk.toString()
      },
      onResponseEnd: () => {
        if (status !== 200) return fail(`${status} ${responseText.slice(0, 300)}`)
        latencies.push(performance.now() - start)
        if (typeof callId === "string") callIds.push(callId)
        return resolve()
      },
      onResponseError: (_, error) => fail(String(error))
    })
  })

const start = performance.now()
const end = start + seconds * 1000

await Promise.all(Array.from({ length: connections }, async () => {
  const client = new Client(url, { keepAliveTimeout: 60_000, bodyTimeout: 30_000, headersTimeout: 30_000 })
  while (performance.now() < end && failures.length < 100) await sendRequest(client)
  await client.close()
}))

const elapsed = (performance.now() - start) / 1000
const sorted = Float64Array.from(latencies).toSorted()
const percentile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const result: LoadResult = {
  answered: latencies.length,
  failed: failures.length,
  failure: failures[0] ?? null,
  perSecond: latencies.length / elapsed,
  p50: percentile(0.5),
  p95: percentile(0.95),
  p99: percentile(0.99),
  callIds
}
process.stdout.write(JSON.stringify(result))
