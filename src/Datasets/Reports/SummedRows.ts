import type { FileCell } from "../Files/Parquet.ts"
import type { Rows } from "./Report.ts"

/**
 * Rows of dimensions, clicks, impressions, ctr and position, summed over the parts of a day. Rows that the whole day has
 * stay as they are, because a part may lack some of theirs.
 */
export class SummedRows {
  readonly #width: number
  readonly #whole: Rows
  readonly #known: Set<string>
  readonly #sums = new Map<string, Array<FileCell>>()

  constructor(whole: Rows, width: number) {
    this.#width = width
    this.#whole = whole
    this.#known = new Set(whole.map((row) => this.#keyOf(row)))
  }

  add(rows: Rows): void {
    const [clicks, impressions, , position] = this.#places
    for (const row of rows) {
      const key = this.#keyOf(row)
      if (this.#known.has(key)) continue
      const sum = this.#sums.get(key)
      const weighted = Number(row[impressions]) * Number(row[position] ?? 0)
      if (sum === undefined) this.#sums.set(key, row.with(position, weighted))
      else {
        sum[clicks] = Number(sum[clicks]) + Number(row[clicks])
        sum[impressions] = Number(sum[impressions]) + Number(row[impressions])
        sum[position] = Number(sum[position]) + weighted
      }
    }
  }

  /** Ends the sum. */
  rows(): Rows {
    const [clicks, impressions, ctr, position] = this.#places
    for (const sum of this.#sums.values()) {
      const shown = Number(sum[impressions])
      sum[ctr] = shown === 0 ? 0 : Number(sum[clicks]) / shown
      sum[position] = shown === 0 ? 0 : Number(sum[position]) / shown
    }
    return [...this.#whole, ...this.#sums.values()]
  }

  get #places(): readonly [number, number, number, number] {
    return [this.#width, this.#width + 1, this.#width + 2, this.#width + 3]
  }

  #keyOf(row: ReadonlyArray<FileCell>): string {
    return row.slice(0, this.#width).join("\0")
  }
}
