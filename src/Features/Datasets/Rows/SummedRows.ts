import type { Cell, CellsByColumn } from "../../../Domain/Table/Table.ts"

const separator = "\0"

/** Rows of dimensions, clicks, impressions, ctr and position, summed over the parts of a day. */
export class SummedRows {
  /** The number of a row by its last dimension and then by the others: a look-up of one long text takes longer. */
  readonly #numbers = new Map<Cell, Map<string, number>>()
  #count = 0
  #leftOut = 0
  /** The dimensions of the rows that are kept. */
  readonly #dimensions: ReadonlyArray<Array<Cell>>
  readonly #clicks: Array<number> = []
  readonly #impressions: Array<number> = []
  readonly #positions: Array<number> = []

  constructor(width: number) {
    this.#dimensions = Array.from({ length: width }, () => [])
  }

  /** Excludes rows that the whole day has, because a part may lack some of their clicks. Called before `add`. */
  leaveOut(cells: CellsByColumn): void {
    this.#numbersOf(cells)
    this.#leftOut = this.#count
  }

  add(cells: CellsByColumn): void {
    const [clicks = [], impressions = [], , positions = []] = cells.slice(this.#dimensions.length)
    this.#numbersOf(cells).forEach((number, row) => {
      const place = number - this.#leftOut
      if (place < 0) return
      const seen = Number(impressions[row])
      this.#dimensions.forEach((values, index) => values[place] ??= cells[index]?.[row] ?? null)
      this.#clicks[place] = (this.#clicks[place] ?? 0) + Number(clicks[row])
      this.#impressions[place] = (this.#impressions[place] ?? 0) + seen
      this.#positions[place] = (this.#positions[place] ?? 0) + seen * Number(positions[row] ?? 0)
    })
  }

  /** The sums, at most `size` rows at a time. */
  *parts(size: number): Generator<CellsByColumn> {
    for (let start = 0; start < this.#clicks.length; start += size) {
      const end = start + size
      const clicks = this.#clicks.slice(start, end)
      const impressions = this.#impressions.slice(start, end)
      const share = (sum: number, index: number) => sum === 0 ? 0 : sum / (impressions[index] ?? 0)
      yield [
        ...this.#dimensions.map((values) => values.slice(start, end)),
        clicks,
        impressions,
        clicks.map(share),
        this.#positions.slice(start, end).map(share)
      ]
    }
  }

  #numbersOf(cells: CellsByColumn): ReadonlyArray<number> {
    const [first = [], ...others] = cells.slice(0, this.#dimensions.length)
    const last = others.pop()
    return first.map((cell, row) => {
      let key = `${cell}`
      for (const column of others) key += `${separator}${column[row]}`
      const group = last?.[row] ?? null
      let numbers = this.#numbers.get(group)
      if (numbers === undefined) this.#numbers.set(group, numbers = new Map())
      const known = numbers.get(key)
      if (known !== undefined) return known
      numbers.set(key, this.#count)
      return this.#count++
    })
  }
}
