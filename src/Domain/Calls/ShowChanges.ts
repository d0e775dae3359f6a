import type { CellChange, Change, RequestChange, ShownChanges, TextChange } from "./Change.ts"

const maxChanges = 10_000
const maxCells = 10_000
const maxCharacters = 100_000

/** Every text is shown with at least this many characters. */
const leastCharacters = 5

type Rows = CellChange["before"]
type CellValue = Rows[number][number] | undefined

/**
 * The changes with at most 10,000 cells and 100,000 characters. Each has its place, and long texts are cut inside, all to
 * the same length.
 */
export const showChanges = (all: ReadonlyArray<Change>): ShownChanges => {
  const room = new Room()
  const places = all.slice(0, maxChanges).map((change) => placesIn(change, room))
  const longest = room.longestText()
  const not_shown = { changes: all.length - places.length, cells: 0, characters: 0 }
  const changes: Array<Change> = []
  for (const [index, change] of all.entries()) {
    const shown = cutChange(change, places[index] ?? 0, longest)
    const missing = missingIn(shown)
    not_shown.cells += missing.cells
    not_shown.characters += missing.characters
    if (index < places.length) changes.push(shown)
  }
  const isWhole = not_shown.changes === 0 && changes.every(({ size }) => size === undefined)
  return { changes, not_shown, ...isWhole ? {} : { truncated: true } }
}

class Room {
  #cells = maxCells
  #characters = maxCharacters
  readonly #lengths: Array<number> = []

  takeCell(before: CellValue, after: CellValue): boolean {
    if (this.#cells === 0 || !this.takeTexts(before, after)) return false
    this.#cells--
    return true
  }

  /** Numbers are never cut. */
  takeTexts(...values: ReadonlyArray<CellValue>): boolean {
    const least = values.reduce<number>(
      (sum, value) => sum + (typeof value === "string" ? Math.min(leastCharacters, value.length) : lengthOf(value)),
      0
    )
    if (least > this.#characters) return false
    this.#characters -= least
    for (const value of values) {
      if (typeof value === "string" && value.length > leastCharacters) this.#lengths.push(value.length)
    }
    return true
  }

  /** The length to which all texts are cut. */
  longestText(): number {
    const lengths = this.#lengths.toSorted((one, other) => one - other)
    let left = this.#characters
    let longest = leastCharacters
    for (const [index, length] of lengths.entries()) {
      const texts = lengths.length - index
      if ((length - longest) * texts > left) return longest + Math.floor(left / texts)
      left -= (length - longest) * texts
      longest = length
    }
    return Infinity
  }
}

const lengthOf = (value: CellValue): number => value === undefined || value === null ? 0 : String(value).length

const bodyText = ({ request }: RequestChange): string => JSON.stringify(request.body ?? null)

/** How many cells there is room for. For a change of texts, 1 if they fit and 0 if not. */
const placesIn = (change: Change, room: Room): number => {
  if ("request" in change) return Number(room.takeTexts(bodyText(change)))
  if ("tab" in change) return Number(room.takeTexts(change.removed, change.inserted))
  let places = 0
  for (let row = 0; row < Math.max(change.before.length, change.after.length); row++) {
    for (let column = 0; column < widthOf(change, row); column++) {
      if (!room.takeCell(change.before[row]?.[column], change.after[row]?.[column])) return places
      places++
    }
  }
  return places
}

const widthOf = ({ after, before }: CellChange, row: number): number =>
  Math.max(before[row]?.length ?? 0, after[row]?.length ?? 0)

const cutChange = (change: Change, places: number, longest: number): Change => {
  if ("range" in change) return cutCells(change, places, longest)
  const length = places === 0 ? 0 : longest
  return "tab" in change ? cutTexts(change, length) : cutRequest(change, length)
}

const cutCells = (change: CellChange, places: number, longest: number): CellChange => {
  const cut = (rows: Rows): Rows => {
    const shown: Array<Rows[number]> = []
    let left = places
    for (let row = 0; row < rows.length && left > 0; row++) {
      shown.push(
        (rows[row] ?? []).slice(0, left).map((cell) => typeof cell === "string" ? cutText(cell, longest) : cell)
      )
      left -= widthOf(change, row)
    }
    return shown
  }
  const shown = { ...change, before: cut(change.before), after: cut(change.after) }
  const size = measure(change.after)
  return isSame(size, measure(shown.after)) && isSame(measure(change.before), measure(shown.before))
    ? change
    : { ...shown, size }
}

interface Measure {
  readonly cells: number
  readonly characters: number
}

const isSame = (one: Measure, other: Measure): boolean =>
  one.cells === other.cells && one.characters === other.characters

const measure = (rows: Rows): Measure => {
  let [cells, characters] = [0, 0]
  for (const row of rows) {
    cells += row.length
    for (const cell of row) characters += lengthOf(cell)
  }
  return { cells, characters }
}

const cutTexts = (change: TextChange, longest: number): TextChange => {
  const { inserted, removed } = change
  if (Math.max(inserted.length, removed.length) <= longest) return change
  return {
    ...change,
    removed: cutText(removed, longest),
    inserted: cutText(inserted, longest),
    size: { removed: removed.length, inserted: inserted.length }
  }
}

const cutRequest = (change: RequestChange, longest: number): RequestChange => {
  const body = bodyText(change)
  return body.length <= longest
    ? change
    : { request: { ...change.request, body: cutText(body, longest) }, size: { characters: body.length } }
}

/** Does not cut a character of two code units in half. */
const cutText = (text: string, longest: number): string => {
  if (text.length <= longest) return text
  return text.slice(0, /[\uD800-\uDBFF]/.test(text[longest - 1] ?? "") ? longest - 1 : longest)
}

const nothing: Measure = { cells: 0, characters: 0 }

/** If a change of a text only removes characters, counts those. */
const missingIn = (shown: Change): Measure => {
  if (shown.size === undefined) return nothing
  if ("range" in shown) {
    const { cells, characters } = measure(shown.after)
    return { cells: shown.size.cells - cells, characters: shown.size.characters - characters }
  }
  if ("tab" in shown) {
    const { inserted, removed, size } = shown
    return { cells: 0, characters: size.inserted - inserted.length || size.removed - removed.length }
  }
  return { cells: 0, characters: shown.size.characters - String(shown.request.body).length }
}
