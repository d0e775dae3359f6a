export type SpanKind = "strong" | "emphasis" | "delete"

export interface Span {
  readonly kind: SpanKind
  readonly parent: Span | undefined
  sign: string
}

export interface Sign {
  readonly span: Span
  readonly opens: boolean
}

export interface Text {
  readonly text: string
  /** Whether the first character is written as a reference, which is punctuation to CommonMark. */
  encodesStart: boolean
  encodesEnd: boolean
}

export type Piece = Text | Sign

export const isSign = (piece: Piece | undefined): piece is Sign => piece !== undefined && "span" in piece

interface Run {
  readonly sign: string
  readonly tokens: ReadonlyArray<Sign>
  readonly before: Piece | undefined
  readonly after: Piece | undefined
}

/** Whether the text before and after the signs may be written with references. */
export interface Encodable {
  readonly start: boolean
  readonly end: boolean
}

const mistake = 1000

/** Sets the references and returns their number. Signs with a changed meaning cost much more. */
export const cost = (pieces: ReadonlyArray<Piece>, encodable: Encodable): number => {
  const inner = pieces.slice(1, -1)
  const [first, last] = [pieces[0], pieces.at(-1)]
  for (const piece of inner) if (!isSign(piece)) piece.encodesStart = piece.encodesEnd = false
  if (first !== undefined && !isSign(first)) first.encodesEnd = false
  if (last !== undefined && !isSign(last)) last.encodesStart = false
  const fixed = [encodable.start ? undefined : first, encodable.end ? undefined : last]
  const runs = runsOf(pieces)
  for (const run of [...runs, ...runs]) settle(run, fixed)
  const isRight = runs.every((run) => suffices(run, around(run.before, true), around(run.after, false))) &&
    isPaired(runs, (whole) => whole) && isPaired(runs, (_, left) => left)
  return (isRight ? 0 : mistake) +
    pieces.reduce((sum, piece) => sum + references(piece, piece === first, piece === last), 0)
}

const isShort = (text: string): boolean => Array.from(text).length === 1

const references = (piece: Piece, isFirst: boolean, isLast: boolean): number => {
  if (isSign(piece)) return 0
  const start = piece.encodesStart && !isFirst
  const end = piece.encodesEnd && !isLast
  return start && end ? (isShort(piece.text) ? 1 : 2) : start || end ? 1 : 0
}

const runsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (let from = 0; from < pieces.length; from++) {
    const first = pieces[from]
    if (!isSign(first)) continue
    const sign = first.span.sign.charAt(0)
    const tokens = [first]
    let to = from + 1
    for (let next = pieces[to]; isSign(next) && next.span.sign.startsWith(sign); next = pieces[++to]) tokens.push(next)
    runs.push({ sign, tokens, before: pieces[from - 1], after: pieces[to] })
    from = to - 1
  }
  return runs
}

type Around = "letter" | "space" | "punctuation"

const around = (piece: Piece | undefined, atEnd: boolean): Around => {
  if (piece === undefined) return "space"
  if (isSign(piece)) return "punctuation"
  const { encodesEnd, encodesStart, text } = piece
  if ((atEnd ? encodesEnd : encodesStart) || ((encodesEnd || encodesStart) && isShort(text))) return "punctuation"
  const character = atEnd ? text.slice(-1) : text.slice(0, 1)
  return character === "" || /\s/.test(character) ? "space" : /[\p{P}\p{S}]/u.test(character) ? "punctuation" : "letter"
}

/** What CommonMark calls left-flanking and right-flanking, and its further rule for `_`. */
const flanks = (sign: string, before: Around, after: Around): { readonly opens: boolean; readonly closes: boolean } => {
  const left = after === "letter" || (after === "punctuation" && before !== "letter")
  const right = before === "letter" || (before === "punctuation" && after !== "letter")
  return sign === "_"
    ? { opens: left && (!right || before === "punctuation"), closes: right && (!left || after === "punctuation") }
    : { opens: left, closes: right }
}

const suffices = ({ sign, tokens }: Run, before: Around, after: Around): boolean => {
  const { closes, opens } = flanks(sign, before, after)
  return tokens.every((token) => token.opens ? opens : closes)
}

const settle = (run: Run, fixed: ReadonlyArray<Piece | undefined>): void => {
  const [before, after] = [around(run.before, true), around(run.after, false)]
  if (suffices(run, before, after)) return
  const encodes = (piece: Piece | undefined): piece is Text =>
    piece !== undefined && !isSign(piece) && piece.text !== "" && !fixed.includes(piece)
  const [start, end] = [encodes(run.before), encodes(run.after)]
  const takesBefore = start && suffices(run, "punctuation", after)
  const takesAfter = !takesBefore && end && suffices(run, before, "punctuation")
  const takesBoth = !takesBefore && !takesAfter && start && end && suffices(run, "punctuation", "punctuation")
  if (encodes(run.before) && (takesBefore || takesBoth)) run.before.encodesEnd = true
  if (encodes(run.after) && (takesAfter || takesBoth)) run.after.encodesStart = true
}

interface OpenRun {
  readonly markers: Array<Sign>
  readonly whole: number
  readonly closes: boolean
}

/**
 * Whether each opening sign pairs with its own closing sign. CommonMark's rule of three counts all signs of a run,
 * micromark only those not paired yet. The result must pair by both.
 */
const isPaired = (runs: ReadonlyArray<Run>, lengthOf: (whole: number, left: number) => number): boolean => {
  const open = new Map<string, Array<OpenRun>>()
  for (const { after, before, sign, tokens } of runs) {
    const { closes, opens } = flanks(sign, around(before, true), around(after, false))
    const markers = tokens.flatMap((token) => Array.from(token.span.sign, () => token))
    const whole = markers.length
    const openers = open.get(sign) ?? []
    open.set(sign, openers)
    while (markers.length > 0) {
      if (!closes) break
      const length = lengthOf(whole, markers.length)
      const at = openers.findLastIndex((opener) => {
        const other = lengthOf(opener.whole, opener.markers.length)
        return sign === "~"
          ? other === length
          : !((opener.closes || opens) && length % 3 !== 0 && (other + length) % 3 === 0)
      })
      const opener = openers[at]
      if (opener === undefined) break
      if (at !== openers.length - 1) return false
      const size = sign === "~" ? length : opener.markers.length > 1 && markers.length > 1 ? 2 : 1
      const pair = [...opener.markers.splice(-size), ...markers.splice(0, size)]
      const span = pair[0]?.span
      if (span?.sign.length !== size || pair.some((token) => token.span !== span)) return false
      if (opener.markers.length === 0) openers.pop()
    }
    if (markers.length > 0 && !opens) return false
    if (markers.length > 0) openers.push({ markers, whole, closes })
  }
  return [...open.values()].every((openers) => openers.length === 0)
}
