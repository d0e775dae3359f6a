import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { advisoryLock } from "../../src/Sql/AdvisoryLock.ts"

const src = new URL("../../src", import.meta.url).pathname

/** The tables of each folder. Only its files name them in statements. */
const owners: Readonly<Record<string, ReadonlyArray<string>>> = {
  Audit: ["audit"],
  Auth: ["clients", "grants", "keys", "members", "oauth_tokens", "sessions"],
  "Calls/Cache": ["response_drops", "responses"],
  "Calls/Log": ["call_stats", "call_stats_progress", "calls", "late_calls", "log_keys", "refused_calls"],
  Capacity: ["request_counts"],
  Connections: ["connections"],
  "Connections/Bounds": ["created_files"],
  "Connections/Connect": ["authorizations"],
  "Features/AgentAccess": ["oauth_client_documents", "oauth_clients"],
  "Features/Alerts": ["alert_choices", "mail_deliveries"],
  "Features/Approvals": ["approval_parts", "approvals"],
  "Features/BulkCalls": ["bulk_calls", "bulk_runs"],
  "Features/ClickHouse": ["call_copies", "uncopied_calls"],
  "Features/ConnectLinks": ["connect_link_uses", "connect_links", "pending_connections"],
  "Features/Datasets": ["dataset_days", "datasets"],
  "Features/GoogleSetup": ["google_refusals"],
  "Features/Idempotency": ["idempotency_keys"],
  "Features/Results": ["result_chunks", "results"],
  "Features/Revocation": ["revocation_connections", "revocations"],
  "Features/SignIn": [
    "known_addresses",
    "links",
    "oidc_accounts",
    "oidc_sign_ins",
    "passkey_challenges",
    "passkeys",
    "passwords"
  ],
  "Features/Undo": ["undo_records"],
  "Features/Webhooks": ["deliveries", "events", "webhooks"],
  "Features/Quotas": ["quota_buckets", "quota_reach", "quota_uses"],
  "Sandbox/Data": ["sandbox_values"]
}

/** The demo writes a history into the log, which has no calls of the past. */
const others = /^(?:Sql\/migrations|Cli\/Commands\/Demo)\//

const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(join(src, file), "utf8") }))

const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name)

const tables = sources
  .filter(({ file }) => file.startsWith("Sql/migrations/") || /^Features\/\w+\/Migration\.ts$/.test(file))
  .flatMap(({ text }) => namesIn(text, /\bCREATE (?:UNLOGGED )?TABLE (\w+)/g))

/** In statements, and as what a helper for rows is given. */
const naming = /(?:\b(?:FROM|INTO|JOIN|UPDATE|TABLE)\s+|(?<!publish\(\{ )\btable: "|\(sql, "|\blastUsed\(")(\w+)/g

describe("Each table", () => {
  it("of the migrations has one owner", () => {
    assert.sameMembers(Object.values(owners).flat(), tables)
  })

  it.each(Object.entries(owners))("in %s is named by no other folder", (folder, owned) => {
    const named = sources
      .filter(({ file }) => !others.test(file))
      .flatMap(({ file, text }) => namesIn(text, naming).map((table) => ({ file, table })))
      .filter(({ table }) => owned.includes(table))
    assert.deepStrictEqual(owned.filter((name) => named.every(({ table }) => table !== name)), [])
    assert.deepStrictEqual(named.filter(({ file }) => !file.startsWith(`${folder}/`)), [])
  })
})

const matches = (pattern: RegExp) =>
  sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, ...found]) => found))

/** Written by the caches, which miss without their keys and need no rotation. */
const cached = ["responses"]

describe("What owners declare", () => {
  it("no two locks have the same number", () => {
    const locks = matches(/= advisoryLock\("(\w+)"(?:, ([\d_]+))?\)/g).map(([name = "", number]) =>
      number === undefined ? advisoryLock(name) : advisoryLock(name, Number(number.replaceAll("_", "")))
    )
    assert.strictEqual(locks.length, matches(/ advisoryLock\(/g).length)
    assert.strictEqual(new Set(locks.map(({ number }) => number)).size, locks.length)
  })

  it("a rotation of the keys re-encrypts every table with encrypted data", () => {
    const encrypted = matches(/CREATE TABLE (\w+) \(([^]*?)\n\s*\)/g)
      .flatMap(([table, columns = ""]) => /^\s+encryption_key_id /m.test(columns) ? [table] : [])
    const declared = matches(/table: "(\w+)",\s+(?:id: [^\n]*\s+)?bytes: "/g).flat()
    assert.sameMembers(encrypted.filter((table) => !cached.includes(`${table}`)), declared)
  })

  it("every declaration of encrypted data is in the core's list or a feature's", () => {
    const lists = matches(/\bsecrets(?:: ReadonlyArray<StoredSecrets<[^>]*>> =|:) \[([^\]]*)\]/g)
    const listed: ReadonlyArray<string> = `${lists}`.match(/\w+/g) ?? []
    const declared = matches(/^export const (\w+): StoredSecrets\b/gm).flat()
    assert.deepStrictEqual(declared.filter((name) => !listed.includes(`${name}`)), [])
  })
})
