import { setTimeout as sleep } from "node:timers/promises"
import { market } from "../../src/Sandbox/Data/Portfolio.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { googleConnection } from "../../src/Sandbox/Providers/Google/GoogleApi.ts"

interface Dataset {
  readonly id: string
  readonly status: string
  readonly days: { readonly done: number; readonly capped: number }
  readonly rows: number
  readonly last_error: { readonly message: string } | null
}

interface Day {
  readonly day: string
  readonly status: string
  readonly rows: number
  readonly coverage: number | null
}

interface Created {
  readonly id: string
}

interface Quotas {
  readonly quotas: ReadonlyArray<{ readonly name: string; readonly used: number }>
}

interface Account {
  readonly connection: string
  readonly key: string
}

const property = `sc-domain:${market.domain}`

/** The service through any of its instances that answers. */
export const service = (urls: ReadonlyArray<string>, adminToken: string) => {
  const request = async (method: string, path: string, body?: unknown, token = adminToken): Promise<Response> => {
    for (let attempt = 0;; attempt++) {
      const response = await fetch(`${urls[attempt % urls.length]}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...body === undefined ? {} : { body: JSON.stringify(body) }
      }).catch((error: unknown) => {
        if (attempt > 200) throw error
      })
      if (response?.ok) return response
      // An instance that starts or stops.
      if (response !== undefined && response.status !== 503) {
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      }
      await sleep(50)
    }
  }
  const json = async <A>(...args: Parameters<typeof request>): Promise<A> =>
    JSON.parse(await (await request(...args)).text())

  return {
    connect: async (): Promise<Account> => {
      const connection = googleConnection("gsc", "search console", scopes.webmastersReadonly)
      const { id } = await json<Created>("POST", "/admin/v1/connections", connection)
      const member = await json<Created>("POST", "/admin/v1/members", { email: "proof@example.com", client_ids: null })
      const { key } = await json<{ readonly key: string }>("POST", "/admin/v1/keys", {
        member_id: member.id,
        name: "proof"
      })
      return { connection: id, key }
    },
    create: async (connection_id: string, since: string, dimensions: ReadonlyArray<string>): Promise<string> => {
      const report = { report: "gsc.searchanalytics", resource: `gsc:${property}`, schedule: "daily" }
      return (await json<Created>("POST", "/admin/v1/datasets", { ...report, connection_id, since, dimensions })).id
    },
    dataset: (id: string) => json<Dataset>("GET", `/admin/v1/datasets/${id}`),
    days: async (id: string) =>
      (await json<{ readonly days: ReadonlyArray<Day> }>("GET", `/admin/v1/datasets/${id}/days`)).days,
    file: async (id: string, day: string): Promise<ArrayBuffer> =>
      (await request("GET", `/admin/v1/datasets/${id}/files/day=${day}/data.parquet`)).arrayBuffer(),
    /** Requests to Search Console. */
    used: async (key: string): Promise<{ readonly minute: number; readonly day: number }> => {
      const { quotas } = await json<Quotas>("GET", "/v1/quotas?provider=gsc", undefined, key)
      const usedOf = (name: string) => quotas.find((quota) => quota.name === name)?.used ?? 0
      return { minute: usedOf("gsc.searchanalytics.resource"), day: usedOf("gsc.searchanalytics_day.project") }
    },
    /** How long a read of the same property takes, in milliseconds. */
    call: async ({ connection, key }: Account): Promise<number> => {
      const startedAt = performance.now()
      const day = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)
      await json("POST", "/v1/call", {
        provider: "gsc",
        endpoint: "searchanalytics.query",
        connection_id: connection,
        input: {
          path: { siteUrl: property },
          body: { startDate: day, endDate: day, dimensions: ["device"], rowLimit: 5 }
        }
      }, key)
      return performance.now() - startedAt
    }
  }
}
