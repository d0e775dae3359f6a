import { setTimeout } from "node:timers/promises"

export interface Outcome {
  readonly status: string
  readonly seconds: number
  readonly failed: number
  /** Accounts with rows. */
  readonly inRows: number
  /** Accounts with a row twice, or with rows and a failure. */
  readonly twice: number
  readonly rows: number
}

interface Bulk {
  readonly id: string
  readonly status: string
  readonly done: number
  readonly failed: number
  readonly result: { readonly id: string; readonly rows: number } | null
  readonly failures: ReadonlyArray<{ readonly connection_id: string }>
}

const json = async <A>(url: string, key: string, body?: unknown): Promise<A> => {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...body !== undefined && { body: JSON.stringify(body) }
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return await response.json() as A
}

const question = {
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: {
    path: { siteUrl: "sc-domain:fernhill.example" },
    body: { startDate: "2026-11-01", endDate: "2026-11-07", dimensions: ["query"], rowLimit: 100 }
  }
}

const sql = "SELECT connection_id, count(*), count(DISTINCT query) FROM result GROUP BY 1"

/** Asks all accounts, through the first instance. `kill` ends it when a third of them have answered. */
export const askAll = async (instances: ReadonlyArray<string>, key: string, kill?: () => void): Promise<Outcome> => {
  const [url = "", survivor = url] = instances
  const begin = performance.now()
  let bulk: Bulk = await json<Bulk>(`${url}/v1/bulk-calls`, key, question)
  let isKilled = kill === undefined
  while (bulk.status === "queued" || bulk.status === "running") {
    if (!isKilled && bulk.done >= 100) {
      kill?.()
      isKilled = true
    }
    await setTimeout(isKilled ? 200 : 20)
    bulk = await json<Bulk>(`${survivor}/v1/bulk-calls/${bulk.id}`, key)
  }
  const seconds = (performance.now() - begin) / 1000
  const { rows } = await json<{ readonly rows: ReadonlyArray<readonly [string, number, number]> }>(
    `${survivor}/v1/results/${bulk.result?.id}/query`,
    key,
    { sql }
  )
  const failed = new Set(bulk.failures.map(({ connection_id }) => connection_id))
  const twice = rows.filter(([id, all, distinct]) => all !== distinct || failed.has(id)).length
  return { status: bulk.status, seconds, failed: failed.size, inRows: rows.length, twice, rows: bulk.result?.rows ?? 0 }
}

/** How long small reads of another member take while `run` runs, in milliseconds. */
export const readsWhile = async (
  url: string,
  key: string,
  connection_id: string,
  run: () => Promise<unknown>
): Promise<ReadonlyArray<number>> => {
  const millis: Array<number> = []
  const ended = new AbortController()
  const reads = (async () => {
    while (!ended.signal.aborted) {
      const begin = performance.now()
      await json(`${url}/v1/call`, key, { provider: "gsc", endpoint: "sites.list", connection_id })
      millis.push(performance.now() - begin)
      // The account may be read 200 times a minute.
      await setTimeout(350)
    }
  })()
  await run()
  ended.abort()
  await reads
  return millis
}

export const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Infinity
