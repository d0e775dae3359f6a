import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from "node:crypto"
import { Pool } from "pg"

interface Principal {
  readonly keyId: string
  readonly memberId: string
  readonly access: string
}

interface Connection {
  readonly id: string
  readonly clientId: string
  readonly credentials: Buffer
}

export interface LoggedCall {
  readonly id: string
  readonly principal: Principal | undefined
  readonly connection: Connection | undefined
  readonly provider: string | null
  readonly target: string | null
  readonly status: number
  readonly errorCode: string | null
  readonly latency: number
  readonly request: string | null
  readonly response: string
}

/** The same in every process: two gateways share a database. */
const encryptionKey = createSecretKey(createHash("sha256").update("gateway").digest())

const seal = (id: string, text: string): Buffer => {
  const iv = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", encryptionKey, iv).setAAD(Buffer.from(id))
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
}

const unseal = (id: string, bytes: Buffer): string => {
  const decipher = createDecipheriv("aes-256-gcm", encryptionKey, bytes.subarray(0, 12))
    .setAAD(Buffer.from(id))
    .setAuthTag(bytes.subarray(-16))
  return decipher.update(bytes.subarray(12, -16), undefined, "utf8") + decipher.final("utf8")
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64")

const schema = `
  CREATE TABLE IF NOT EXISTS keys (hash text PRIMARY KEY, id text NOT NULL, member_id text NOT NULL,
    access text NOT NULL);
  CREATE TABLE IF NOT EXISTS connections (id text PRIMARY KEY, client_id text NOT NULL, provider text NOT NULL,
    status text NOT NULL, credentials bytea NOT NULL);
  CREATE TABLE IF NOT EXISTS calls (id text COLLATE "C" PRIMARY KEY, created_at timestamptz NOT NULL,
    client_id text, connection_id text, member_id text, key_id text, provider text, target text, outcome text NOT NULL,
    http_status smallint NOT NULL, error_code text, latency_ms double precision NOT NULL,
    cost_usd double precision NOT NULL, cached boolean NOT NULL, request text, response text)`

const insertCall = `INSERT INTO calls VALUES
  ($1, now(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, false, $12, $13)`

const insertCalls = `INSERT INTO calls
  SELECT id, now(), client_id, connection_id, member_id, key_id, provider, target, outcome, status, error_code, latency,
    0, false, request, response
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::smallint[], $10::text[], $11::double precision[], $12::text[], $13::text[]) AS call (id, client_id,
    connection_id, member_id, key_id, provider, target, outcome, status, error_code, latency, request, response)`

const valuesOf = (call: LoggedCall) => [
  call.id,
  call.connection?.clientId ?? null,
  call.connection?.id ?? null,
  call.principal?.memberId ?? null,
  call.principal?.keyId ?? null,
  call.provider,
  call.target,
  call.errorCode === null ? "ok" : "error",
  call.status,
  call.errorCode,
  call.latency,
  call.request,
  call.response
]

/** Calls that end during an insert share the next one. */
const inGroups = (insert: (calls: ReadonlyArray<LoggedCall>) => Promise<unknown>) => {
  let waiting: Array<LoggedCall> = []
  let next: Promise<unknown> | undefined
  let running: Promise<unknown> = Promise.resolve()
  return (call: LoggedCall): Promise<unknown> => {
    waiting.push(call)
    next ??= running = running.catch(() => undefined).then(() => {
      const group = waiting
      waiting = []
      next = undefined
      return insert(group)
    })
    return next
  }
}

const cacheMillis = 500

const cached = <A>(find: (key: string) => Promise<A>) => {
  const found = new Map<string, { readonly until: number; readonly value: Promise<A> }>()
  return (key: string): Promise<A> => {
    const known = found.get(key)
    if (known !== undefined && known.until > Date.now()) return known.value
    const value = find(key)
    found.set(key, { until: Date.now() + cacheMillis, value })
    return value
  }
}

export type Commit = "each" | "group"

export const openStore = async (url: string, key: string, accessToken: string, commit: Commit) => {
  const pool = new Pool({ connectionString: url, max: 20 })
  await pool.query(schema)
  await pool.query("INSERT INTO keys VALUES ($1, 'key_1', 'mem_1', 'read_write') ON CONFLICT DO NOTHING", [sha256(key)])
  for (const provider of ["gsc", "gsheets"]) {
    const id = `con_${provider}`
    const credentials = seal(id, JSON.stringify({ access_token: accessToken }))
    await pool.query(
      `INSERT INTO connections VALUES ($1, 'cli_1', $2, 'active', $3)
        ON CONFLICT (id) DO UPDATE SET credentials = excluded.credentials`,
      [id, provider, credentials]
    )
  }

  const principals = cached(async (hash): Promise<Principal | undefined> => {
    const { rows } = await pool.query<Principal>({
      name: "principal",
      text: `SELECT id AS "keyId", member_id AS "memberId", access FROM keys WHERE hash = $1`,
      values: [hash]
    })
    return rows[0]
  })
  const connections = cached(async (provider): Promise<Connection | undefined> => {
    const { rows } = await pool.query<Connection>({
      name: "connection",
      text:
        `SELECT id, client_id AS "clientId", credentials FROM connections WHERE provider = $1 AND status = 'active'`,
      values: [provider]
    })
    return rows.length === 1 ? rows[0] : undefined
  })

  return {
    principal: (key: string) => principals(sha256(key)),
    connection: connections,
    accessToken: ({ credentials, id }: Connection): string => {
      const { access_token }: { readonly access_token: string } = JSON.parse(unseal(id, credentials))
      return access_token
    },
    log: commit === "each"
      ? (call: LoggedCall) => pool.query({ name: "log", text: insertCall, values: valuesOf(call) })
      : inGroups((calls) => {
        const rows = calls.map(valuesOf)
        const values = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))
        return pool.query({ name: "log", text: insertCalls, values })
      })
  }
}
