import type { Rows } from "./Report.ts"

const separator = "\0"

/** Rows of dimensions, clicks, impressions, ctr and position, summed over the parts of a day. */
export class SummedRows {
  readonly #width: number
  readonly #leftOut: Set<string>
  readonly #places = new Map<string, number>()
  readonly #clicks: Array<number> = []
  readonly #impressions: Array<number> = []
  readonly #positions: Array<number> = []

  constructor(width: number, leftOut = new Set<string>()) {
    this.#width = width
    this.#leftOut = leftOut
  }

  /** Rows that the whole day has are not summed, because a part may lack some of theirs. */
  leaveOut(rows: Rows): void {
    for (const row of rows) this.#leftOut.add(this.#keyOf(row))
  }

  add(rows: Rows): void {
    const width = this.#width
    for (const row of rows) {
      const key = this.#keyOf(row)
      const impressions = Number(row[width + 1])
      if (!this.#leftOut.has(key)) {
        this.#sum(key, Number(row[width]), impressions, impressions * Number(row[width + 3] ?? 0))
      }
    }
  }

  /** Without rows, and with the same left out. */
  part(): SummedRows {
    return new SummedRows(this.#width, this.#leftOut)
  }

  addPart(part: SummedRows): void {
    for (const [key, place] of part.#places) {
      this.#sum(key, part.#clicks[place], part.#impressions[place], part.#positions[place])
    }
  }

  /** At most `size` rows at a time. */
  *parts(size: number): Generator<Rows> {
    let rows: Array<Rows[number]> = []
    for (const [key, place] of this.#places) {
      const clicks = this.#clicks[place] ?? 0
      const impressions = this.#impressions[place] ?? 0
      const share = (sum = 0) => impressions === 0 ? 0 : sum / impressions
      rows.push([...key.split(separator), clicks, impressions, share(clicks), share(this.#positions[place])])
      if (rows.length < size) continue
      yield rows
      rows = []
    }
    yield rows
  }

  #sum(key: string, clicks = 0, impressions = 0, positions = 0): void {
    const place = this.#places.get(key) ?? this.#places.size
    if (place === this.#clicks.length) this.#places.set(key, place)
    this.#clicks[place] = (this.#clicks[place] ?? 0) + clicks
    this.#impressions[place] = (this.#impressions[place] ?? 0) + impressions
    this.#positions[place] = (this.#positions[place] ?? 0) + positions
  }

  #keyOf(row: Rows[number]): string {
    return row.slice(0, this.#width).join(separator)
  }
}
