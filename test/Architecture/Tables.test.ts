import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const src = new URL("../../src", import.meta.url).pathname

/** The files whose statements name the table. */
const owners: Readonly<Record<string, RegExp>> = {
  calls: /^Calls\/(?:ClickHouse|Log|Stats|Storage)\//,
  refused_calls: /^Calls\/(?:Log|Stats|Storage)\//,
  call_copies: /^Calls\/(?:ClickHouse|Storage)\//,
  uncopied_calls: /^Calls\/(?:ClickHouse|Storage)\//,
  late_calls: /^Calls\/(?:Log|Stats)\//,
  call_stats: /^Calls\/(?:Log|Stats)\//,
  call_stats_progress: /^Calls\/(?:Log|Stats)\//,
  responses: /^Calls\/(?:Cache|Storage)\//,
  response_drops: /^Calls\/(?:Cache|Storage)\//,
  idempotency_keys: /^Calls\/Idempotency\//,
  quota_buckets: /^Providers\/Quotas\/QuotaStore\.ts$/,
  quota_reach: /^Providers\/Quotas\/QuotaStore\.ts$/,
  quota_uses: /^Providers\/Quotas\/QuotaStore\.ts$/,
  results: /^Calls\/Results\/Kept\/KeptResults\.ts$/,
  result_chunks: /^Calls\/Results\/Kept\/KeptResults\.ts$/,
  approvals: /^Calls\/Approvals\//,
  approval_parts: /^Calls\/Approvals\//,
  undo_records: /^Calls\/Undo\//,
  request_counts: /^Capacity\/RequestCounts\.ts$/,
  datasets: /^Datasets\/(?:DatasetRepo|DatasetRuns)\.ts$/,
  dataset_days: /^Datasets\/(?:DatasetRepo|DatasetRuns)\.ts$/,
  revocations: /^Management\/Revocations\/RevocationQueue\.ts$/,
  revocation_connections: /^Management\/Revocations\/RevocationQueue\.ts$/,
  connections: /^Connections\/(?:ConnectionRepo|RefreshLease|Health\/HealthRecords|Storage\/\w+)\.ts$/
}

/** The demo writes a history into the log, which has no calls of the past. */
const others = /^(?:Sql\/migrations|Cli\/Commands\/Demo)\//

const statements = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !others.test(file))
  .flatMap((file) =>
    [...readFileSync(join(src, file), "utf8").matchAll(/\b(?:FROM|INTO|JOIN|UPDATE)\s+(\w+)/g)].map((
      [, table = ""]
    ) => ({
      file,
      table
    }))
  )

describe("A table of one service", () => {
  it.each(Object.entries(owners))("%s is named only by its owner's statements", (table, owner) => {
    const files = statements.filter((statement) => statement.table === table).map(({ file }) => file)
    assert.isNotEmpty(files)
    assert.deepStrictEqual(files.filter((file) => !owner.test(file)), [])
  })
})
