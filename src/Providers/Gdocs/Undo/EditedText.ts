/** A part of the text from before, which was at `origin` there, or a new one, whose `origin` is -1. */
export interface Piece {
  readonly text: string
  readonly origin: number
}

interface PlacedPiece extends Piece {
  readonly start: number
}

/** A text as the pieces that edits have left and inserted, so that an edit of a long text takes no longer. */
export class EditedText {
  readonly pieces: Array<Piece>
  length: number
  /** The piece that was found last, since the next edit is often near, and where it starts. */
  #nth = 0
  #start = 0
  #text: string | undefined

  constructor(text: string) {
    this.pieces = [{ text, origin: 0 }]
    this.length = text.length
  }

  get text(): string {
    return this.#text ??= this.pieces.map(({ text }) => text).join("")
  }

  /** Puts a text in the place of what is from `start` to `end`. */
  replace(start: number, end: number, text: string): void {
    const first = this.#cut(start)
    const next = this.#cut(end)
    this.pieces.splice(first, next - first, { text, origin: -1 })
    this.#nth = first
    this.#start = start
    this.#text = undefined
    this.length += text.length - (end - start)
  }

  /** The pieces after an index, the nearest first. */
  *after(index: number): Generator<PlacedPiece> {
    let nth = this.#find(index)
    let start = this.#start
    for (let piece = this.pieces[nth]; piece !== undefined; piece = this.pieces[++nth]) {
      const from = Math.max(0, index - start)
      yield { ...cutOut(piece, from), start: start + from }
      start += piece.text.length
    }
  }

  /** The pieces before an index, the nearest first. */
  *before(index: number): Generator<PlacedPiece> {
    let nth = this.#find(index)
    let start = this.#start
    for (let piece = this.pieces[nth]; piece !== undefined;) {
      yield { ...cutOut(piece, 0, Math.max(0, index - start)), start }
      piece = this.pieces[--nth]
      start -= piece?.text.length ?? 0
    }
  }

  between(start: number, end: number): ReadonlyArray<Piece> {
    const found: Array<Piece> = []
    for (const piece of this.after(start)) {
      if (piece.start >= end) break
      found.push(cutOut(piece, 0, end - piece.start))
    }
    return found
  }

  #find(index: number): number {
    while (this.#nth > 0 && index < this.#start) this.#start -= this.#lengthOf(--this.#nth)
    for (; this.#nth < this.pieces.length - 1 && index >= this.#start + this.#lengthOf(this.#nth); this.#nth++) {
      this.#start += this.#lengthOf(this.#nth)
    }
    return this.#nth
  }

  /** The piece that starts at an index. */
  #cut(index: number): number {
    const nth = this.#find(index)
    const piece = this.pieces[nth]
    const at = index - this.#start
    if (piece === undefined || at === 0) return nth
    this.pieces.splice(nth, 1, cutOut(piece, 0, at), cutOut(piece, at))
    return nth + 1
  }

  #lengthOf(nth: number): number {
    return this.pieces[nth]?.text.length ?? 0
  }
}

const cutOut = ({ origin, text }: Piece, from: number, to?: number): Piece => ({
  text: text.slice(from, to),
  origin: origin === -1 ? -1 : origin + from
})
