import { Agent, type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { buffer } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { failingSql, hostileSql } from "./HostileSql.ts"

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
  /** One request, or requests that are refused early. They must not stop the service. */
  readonly isLight?: true
  /** Against signing in: the other member signs in meanwhile. */
  readonly isAtSignIn?: true
  /** Against queries of kept results: the other member asks its own meanwhile. */
  readonly isAtQueries?: true
  /** Takes a minute, so tests leave it out. */
  readonly isLong?: true
  /** Attacks that take long make only this share of their requests, or for this share of their time. */
  readonly run: (target: Target, share: number) => Promise<Answers>
}

const post = ({ key, url }: Target, path: string, body: unknown, signal?: AbortSignal) =>
  new Promise<{ readonly status: number; readonly length: number }>((resolve) => {
    const lost = () => resolve({ status: 0, length: 0 })
    const read = async (response: IncomingMessage) => {
      const { length } = await buffer(response)
      resolve({ status: response.statusCode ?? 0, length })
    }
    request(`${url}${path}`, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${key}`, "sec-fetch-site": "same-origin" },
      ...(signal === undefined ? {} : { signal })
    }, (response) => void read(response).catch(lost))
      .on("error", lost)
      .end(typeof body === "string" ? body : JSON.stringify(body))
  })

const posts = async (
  target: Target,
  count: number,
  pathOf: (index: number) => string,
  { body, signal }: { readonly body: unknown; readonly signal?: AbortSignal | undefined }
): Promise<Answers> => {
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => post(target, pathOf(at), body, signal)))
  const statuses: Record<string, number> = {}
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  const errors = answers.filter(({ status }) => status >= 400).map(({ length }) => length)
  return { statuses, longestError: Math.max(0, ...errors) }
}

const calls = (target: Target, count: number, body: unknown, signal?: AbortSignal): Promise<Answers> =>
  posts(target, count, () => "/v1/call", { body, signal })

const none: Answers = { statuses: {}, longestError: 0 }

interface Held {
  readonly pathOf: (index: number) => string
  readonly body?: Buffer
  /** The declared length of a request with a body. */
  readonly length?: number
}

const hold = async (
  { key, url }: Target,
  count: number,
  millis: number,
  { body = Buffer.alloc(0), length = 1000, pathOf }: Held
): Promise<Answers> => {
  const { hostname, port } = new URL(url)
  const hasBody = body.length > 0
  const headOf = (path: string) =>
    [
      `${hasBody ? "POST" : "GET"} ${path} HTTP/1.1`,
      "host: localhost",
      `authorization: Bearer ${key}`,
      "sec-fetch-site: same-origin",
      ...(hasBody ? [`content-length: ${length}`] : [])
    ].join("\r\n")
  const sockets = Array.from({ length: count }, (_, at) => {
    const socket = connect(Number(port), hostname).on("error", () => {})
    socket.pause().write(`${headOf(pathOf(at))}\r\n\r\n`)
    if (hasBody) socket.write(body)
    return socket
  })
  await sleep(millis)
  for (const socket of sockets) socket.destroy()
  return none
}

const anonymousPaths = [
  "/auth/sign-in",
  "/auth/link",
  "/auth/passkeys/sign-in",
  "/oauth/token",
  "/oauth/register",
  "/connect/oac_unknown",
  "/admin/v1/keys",
  "/v1/call",
  "/mcp"
]

const anonymousPath = (index: number): string => anonymousPaths[index % anonymousPaths.length] ?? "/"

const anonymous = ({ url }: Target): Target => ({ url, key: "unknown" })

const smallObjects = (bytes: number): string => `{"email":[${"{},".repeat(bytes / 3 - 6)}{}]}`.padEnd(bytes)

/** Each address sends four wrong passwords at a time, each for another account. */
const guess = async ({ url }: Target, addresses: number, millis: number): Promise<Answers> => {
  const agent = new Agent({ keepAlive: true })
  const statuses: Record<string, number> = {}
  const post = (address: string, email: string) =>
    new Promise<number>((resolve) => {
      request(`${url}/auth/sign-in`, {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "x-forwarded-for": address }
      }, (response) => response.resume().on("close", () => resolve(response.statusCode ?? 0)))
        .on("error", () => resolve(0))
        .end(JSON.stringify({ email, password: "not the password of anyone" }))
    })
  const end = performance.now() + millis
  const guesser = async (address: string, at: number) => {
    for (let guesses = 0; performance.now() < end; guesses++) {
      const status = await post(address, `${at}-${guesses}-of-${address}@example.com`)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 4 * addresses }, (_, at) => guesser(`198.51.100.${at % addresses}`, at)))
  return { statuses, longestError: 0 }
}

/** Keeps a report and asks it one hostile statement after the other, each for so long. */
const askHostile = async (target: Target, millis: number): Promise<Answers> => {
  const result = await keepReport(target)
  const statuses: Record<string, number> = {}
  let longestError = 0
  const ask = (sql: string, signal?: AbortSignal) => post(target, `/v1/results/${result}/query`, { sql }, signal)
  await ask(failingSql)
  // In a thread that is used again.
  await ask(failingSql)
  for (const sql of hostileSql) {
    const { length, status } = await ask(sql, AbortSignal.timeout(millis))
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status >= 400) longestError = Math.max(longestError, length)
  }
  return { statuses, longestError }
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

const largeWrite = {
  provider: "gsheets",
  endpoint: "values.update",
  input: {
    path: { spreadsheetId: "x", range: "A1" },
    query: { valueInputOption: "RAW" },
    body: { values: Array.from({ length: 9500 }, () => ["0123456789abcdef".repeat(62)]) }
  }
}

const toolCall = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })

/** Returns the id of a kept result of 5,000 rows. */
export const keepReport = async ({ key, url }: Target): Promise<string> => {
  const response = await fetch(`${url}/v1/call`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      provider: "gsc",
      endpoint: "searchanalytics.query",
      input: {
        path: { siteUrl: "https://report.example/" },
        body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions: ["query"] }
      },
      keep: true
    })
  })
  const [, id = ""] = /"id":"(res_\w+)"/.exec(await response.text()) ?? []
  return id
}

const one = (body: unknown): Attack => ({ isLight: true, run: (target) => calls(target, 1, body) })

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
  "120 answers of 45 MB": {
    run: (target) => calls(target, 120, site("large"), AbortSignal.timeout(2000))
  },
  "120 answers of 45 MB that are not read": {
    run: async (target) => {
      const body = JSON.stringify(site("large"))
      return await hold(target, 120, 1500, { pathOf: () => "/v1/call", body: Buffer.from(body.padEnd(1000)) })
    }
  },
  "60 writes of 9.5 MB": { run: (target, share) => calls(target, 60 * share, JSON.stringify(largeWrite)) },
  "60 writes of 9.5 MB by an agent": {
    run: (target, share) =>
      posts(target, 60 * share, () => "/mcp", { body: toolCall("call_write_endpoint", largeWrite) })
  },
  "1,500 clients that do not read": { run: (target) => hold(target, 1500, 1000, { pathOf: () => "/docs" }) },
  "1,500 clients that do not write": {
    run: (target) => hold(target, 1500, 1000, { pathOf: () => "/v1/call", body: Buffer.from("{") })
  },
  "250 sign-ins of 10 MB that lack a byte": {
    run: (target, share) =>
      hold(anonymous(target), 250 * share, 6000 * share, {
        pathOf: () => "/auth/sign-in",
        body: Buffer.alloc(10_000_000, " "),
        length: 10_000_001
      })
  },
  "250 anonymous bodies of 16 KiB that lack a byte": {
    run: (target) =>
      hold(anonymous(target), 250, 2000, { pathOf: anonymousPath, body: Buffer.alloc(16_383, " "), length: 16_384 })
  },
  "16 sign-ins of 3 MB of objects": {
    isLight: true,
    run: (target) => posts(anonymous(target), 16, () => "/auth/sign-in", { body: smallObjects(2_900_000) })
  },
  "250 anonymous bodies of 16 KiB of objects": {
    isLight: true,
    run: (target) => posts(anonymous(target), 250, anonymousPath, { body: smallObjects(16_384) })
  },
  "hostile SQL that hangs up": { isAtQueries: true, run: (target) => askHostile(target, 400) },
  "hostile SQL": { isAtQueries: true, isLong: true, run: (target) => askHostile(target, 60_000) },
  "1,000 refused calls": { run: ({ url }) => calls({ url, key: "oa_wrong" }, 1000, site("slow")) },
  "wrong passwords from 120 addresses": { isAtSignIn: true, run: (target, share) => guess(target, 120, 3000 * share) },
  "1,000 calls of nothing": { run: (target) => calls(target, 1000, { provider: "nope", endpoint: "nope" }) }
} satisfies Readonly<Record<string, Attack>> as Readonly<Record<string, Attack>>
