import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { buffer } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"

export interface Target {
  readonly url: string
  readonly key: string
}

export interface Answers {
  /** How many responses had each status, 0 for a broken connection. */
  readonly statuses: Readonly<Record<string, number>>
  readonly longestError: number
}

interface Attack {
  /** One request, which must not stop the service. */
  readonly isSingle?: true
  readonly run: (target: Target) => Promise<Answers>
}

const call = ({ key, url }: Target, body: unknown, signal?: AbortSignal) =>
  new Promise<{ readonly status: number; readonly length: number }>((resolve) => {
    const lost = () => resolve({ status: 0, length: 0 })
    const read = async (response: IncomingMessage) => {
      const { length } = await buffer(response)
      resolve({ status: response.statusCode ?? 0, length })
    }
    request(`${url}/v1/call`, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${key}` },
      ...(signal === undefined ? {} : { signal })
    }, (response) => void read(response).catch(lost))
      .on("error", lost)
      .end(typeof body === "string" ? body : JSON.stringify(body))
  })

const calls = async (target: Target, count: number, body: unknown, signal?: AbortSignal): Promise<Answers> => {
  const answers = await Promise.all(Array.from({ length: count }, () => call(target, body, signal)))
  const statuses: Record<string, number> = {}
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  const errors = answers.filter(({ status }) => status >= 400).map(({ length }) => length)
  return { statuses, longestError: Math.max(0, ...errors) }
}

const none: Answers = { statuses: {}, longestError: 0 }

const hold = async ({ key, url }: Target, count: number, millis: number, path: string, body = ""): Promise<Answers> => {
  const { hostname, port } = new URL(url)
  const head = [
    `${body === "" ? "GET" : "POST"} ${path} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${key}`,
    ...(body === "" ? [] : ["content-length: 1000"])
  ]
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname).on("error", () => {})
    socket.pause().write(`${head.join("\r\n")}\r\n\r\n${body}`)
    return socket
  })
  await sleep(millis)
  for (const socket of sockets) socket.destroy()
  return none
}

const site = (name: string) => ({
  provider: "gsc",
  endpoint: "sites.get",
  input: { path: { siteUrl: `https://${name}.example/` } }
})

const tool = (name: string, input: object) => ({ provider: "gdocs", tool: name, input })

const createDocument = (text: string) => tool("docs_create", { title: "Draft", text })

const invalidItems =
  `{"provider":"gsheets","endpoint":"values.update","input":{"path":{"spreadsheetId":"x","range":"A1"},` +
  `"query":{"valueInputOption":"RAW"},"body":{"values":[${"{},".repeat(3_299_999)}{}]}}}`

const one = (body: unknown): Attack => ({ isSingle: true, run: (target) => calls(target, 1, body) })

export const attacks = {
  "3.3 million invalid items": one(invalidItems),
  "underlines of headings": one(createDocument("a\n=\n".repeat(20_000))),
  "stars after an indented fence": one(createDocument(`    \`\`\`\n${"*".repeat(40_000)}`)),
  "100,000 bold runs": one(tool("docs_read", { document: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde" })),
  "100,000 links": one(tool("docs_read", { document: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_links" })),
  "600 slow calls that hang up": {
    run: (target) => {
      const hangUp = new AbortController()
      setTimeout(() => hangUp.abort(), 500)
      return calls(target, 600, site("slow"), hangUp.signal)
    }
  },
  "600 slow calls": {
    run: (target) => calls(target, 600, site("slow"), AbortSignal.timeout(1500))
  },
  "120 answers of 45 MB": { run: (target) => calls(target, 120, site("large"), AbortSignal.timeout(2000)) },
  "120 answers of 45 MB that are not read": {
    run: async (target) => {
      const body = JSON.stringify(site("large"))
      return await hold(target, 120, 1500, "/v1/call", body.padEnd(1000))
    }
  },
  "1,500 clients that do not read": { run: (target) => hold(target, 1500, 1000, "/docs") },
  "1,500 clients that do not write": { run: (target) => hold(target, 1500, 1000, "/v1/call", "{") },
  "1,000 refused calls": { run: ({ url }) => calls({ url, key: "oa_wrong" }, 1000, site("slow")) },
  "1,000 calls of nothing": { run: (target) => calls(target, 1000, { provider: "nope", endpoint: "nope" }) }
} satisfies Readonly<Record<string, Attack>> as Readonly<Record<string, Attack>>
