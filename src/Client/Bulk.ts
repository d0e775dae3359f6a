import type { BulkCall, Resources } from "./Generated/Resources.ts"
import type { RequestOptions } from "./Request.ts"

export type NewBulkCall = Parameters<Resources["bulkCalls"]["start"]>[0]

/** The account of each row, before the columns of the operation. */
export interface BulkRow {
  readonly client: string | null
  readonly client_id: string | null
  readonly connection_id: string
  readonly account: string | null
  readonly resource: string | null
}

export interface BulkOptions extends RequestOptions {
  readonly onProgress?: (bulk: BulkCall) => void
}

export interface FinishedBulk<Row> extends BulkCall {
  /** All rows, page by page. */
  readonly rows: () => AsyncGenerator<BulkRow & Row>
}

/** Runs one reading operation through many connections, and waits for the end. */
export type Bulk = <Row extends object = Readonly<Record<string, unknown>>>(
  request: NewBulkCall,
  options?: BulkOptions
) => Promise<FinishedBulk<Row>>

export const makeBulk =
  ({ bulkCalls, results }: Pick<Resources, "bulkCalls" | "results">): Bulk =>
  async <Row extends object>(request: NewBulkCall, { onProgress, ...options }: BulkOptions = {}) => {
    let bulk = await bulkCalls.start(request, options)
    while (bulk.status === "queued" || bulk.status === "running") {
      onProgress?.(bulk)
      bulk = await bulkCalls.get(bulk.id, { wait: "5" }, options)
    }
    onProgress?.(bulk)
    const { result } = bulk
    async function* rows(): AsyncGenerator<BulkRow & Row> {
      if (result === null) return
      for (let offset = 0; offset < result.rows;) {
        const page = await results.get(result.id, { offset, limit: 10_000 }, options)
        if (page.rows.length === 0) return
        for (const row of page.rows) yield toRow(result.columns.map(({ name }, index) => [name, row[index]]))
        offset += page.rows.length
      }
    }
    return { ...bulk, rows }
  }

const toRow = (cells: ReadonlyArray<readonly [string, unknown]>) =>
  JSON.parse(JSON.stringify(Object.fromEntries(cells)))
