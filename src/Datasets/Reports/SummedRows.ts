import type { Cell, Table } from "../../Domain/Table/Table.ts"

/**
 * Rows of dimensions, clicks, impressions, ctr and position, summed over the parts of a day. Rows that the whole day has
 * stay as they are, because a part may lack some of theirs.
 */
export class SummedRows {
  readonly #width: number
  readonly #whole: Table["rows"]
  readonly #known: Set<string>
  readonly #sums = new Map<string, Array<Cell>>()

  constructor(whole: Table["rows"], width: number) {
    this.#width = width
    this.#whole = whole
    this.#known = new Set(whole.map((row) => this.#keyOf(row)))
  }

  add(rows: Table["rows"]): void {
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
  rows(): Table["rows"] {
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

  #keyOf(row: ReadonlyArray<Cell>): string {
    return row.slice(0, this.#width).join("\0")
  }
}
