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

const choices = { strong: ["**", "__"], emphasis: ["*", "_"], delete: ["~~"] } as const

/** Beyond so many spans without text between them, one is tried after the other. */
const maxTriedTogether = 6

/** Bounds the time that a long cluster takes. */
const maxSteps = 20_000

/** Chooses the signs that need the fewest references. The first and the last piece are what is around the text. */
export const chooseSigns = (pieces: ReadonlyArray<Piece>): void => {
  let from = 1
  while (from < pieces.length - 1) {
    let depth = 0
    let to = from
    for (let piece = pieces[to]; piece !== undefined && (depth > 0 || isSign(piece)); piece = pieces[++to]) {
      if (isSign(piece)) depth += piece.opens ? 1 : -1
    }
    if (to > from) chooseIn(pieces.slice(from - 1, to + 1), { start: from > 1, end: to < pieces.length - 1 })
    from = to + 1
  }
}

const isSign = (piece: Piece | undefined): piece is Sign => piece !== undefined && "span" in piece

interface Encodable {
  readonly start: boolean
  readonly end: boolean
}

const chooseIn = (pieces: ReadonlyArray<Piece>, encodable: Encodable): void => {
  const spans = guess(pieces)
  const guessed = spans.map(({ sign }) => sign)
  const costOf = () =>
    cost(pieces, encodable) + spans.filter(({ sign }, at) => sign !== guessed[at]).length / (spans.length + 1)
  let lowest = costOf()
  const tryAll = (tried: ReadonlyArray<Span>): void => {
    const [span, ...others] = tried
    if (span === undefined) {
      const now = costOf()
      if (now < lowest) {
        lowest = now
        best = spans.map(({ sign }) => sign)
      }
      return
    }
    for (const sign of choices[span.kind]) {
      span.sign = sign
      tryAll(others)
    }
  }
  let best = guessed
  const use = () => spans.forEach((span, at) => span.sign = best[at] ?? span.sign)
  if (lowest < 1) return
  if (spans.length > maxTriedTogether) {
    for (const span of spans) span.sign = choices[span.kind][0]
    tryAll([])
    use()
  }
  for (const tried of groupsToTry(spans, pieces)) {
    if (lowest < 1) break
    tryAll(tried)
    use()
  }
  cost(pieces, encodable)
}

/** In a long cluster each span with the one around it, first those with a reference beside them. */
const groupsToTry = (
  spans: ReadonlyArray<Span>,
  pieces: ReadonlyArray<Piece>
): ReadonlyArray<ReadonlyArray<Span>> => {
  if (spans.length <= maxTriedTogether) return [spans]
  const isEncoded = (piece: Piece | undefined) =>
    piece !== undefined && !isSign(piece) && (piece.encodesStart || piece.encodesEnd)
  const besideReferences = pieces.flatMap((piece, at) =>
    isSign(piece) && (isEncoded(pieces[at - 1]) || isEncoded(pieces[at + 1])) ? [piece.span] : []
  )
  return Array.from(
    new Set([...besideReferences, ...spans]),
    (span) => span.parent === undefined ? [span] : [span, span.parent]
  )
    .slice(0, Math.ceil(maxSteps / pieces.length))
}

/** Other signs than those that they touch, and the usual ones where nothing is beside them. */
const guess = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Span> => {
  const closes = new Map(pieces.flatMap((piece, at) => isSign(piece) && !piece.opens ? [[piece.span, at]] : []))
  return pieces.flatMap((piece, at) => {
    if (!isSign(piece) || !piece.opens) return []
    const { span } = piece
    const [before, after] = [pieces[at - 1], pieces[(closes.get(span) ?? at) + 1]]
    const touched = [before, isSign(after) && !after.opens ? after : undefined]
      .map((each) => isSign(each) ? each.span.sign.charAt(0) : "")
    const isOnly = isSign(before) && before.opens && isSign(after) && !after.opens
    span.sign = choices[span.kind].find((sign) =>
      !touched.includes(sign.charAt(0)) || (isOnly && sign.length > (span.parent?.sign.length ?? 0))
    ) ?? choices[span.kind][0]
    return [span]
  })
}

interface Run {
  readonly sign: string
  readonly tokens: ReadonlyArray<Sign>
  readonly before: Piece | undefined
  readonly after: Piece | undefined
  opens: boolean
  closes: boolean
}

const mistake = 1000

/** The number of references, which it sets, and much more for signs that would mean something else. */
const cost = (pieces: ReadonlyArray<Piece>, encodable: Encodable): number => {
  const inner = pieces.slice(1, -1)
  const [first, last] = [pieces[0], pieces.at(-1)]
  for (const piece of inner) if (!isSign(piece)) piece.encodesStart = piece.encodesEnd = false
  if (first !== undefined && !isSign(first)) first.encodesEnd = false
  if (last !== undefined && !isSign(last)) last.encodesStart = false
  const fixed = [encodable.start ? undefined : first, encodable.end ? undefined : last]
  const runs = runsOf(pieces)
  for (const run of [...runs, ...runs]) settle(run, fixed)
  const wrong = runs.filter((run) => !isSettled(run)).length
  const isRight = wrong === 0 && isPaired(runs, (length) => length.whole) && isPaired(runs, (length) => length.left)
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
    runs.push({ sign, tokens, before: pieces[from - 1], after: pieces[to], opens: false, closes: false })
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

const isSettled = (run: Run): boolean => suffices(run, around(run.before, true), around(run.after, false))

const settle = (run: Run, fixed: ReadonlyArray<Piece | undefined>): void => {
  const [before, after] = [around(run.before, true), around(run.after, false)]
  const encodes = (piece: Piece | undefined): piece is Text =>
    piece !== undefined && !isSign(piece) && piece.text !== "" && !fixed.includes(piece)
  const [start, end] = [encodes(run.before), encodes(run.after)]
  if (!suffices(run, before, after)) {
    const takesBefore = start && suffices(run, "punctuation", after)
    const takesAfter = !takesBefore && end && suffices(run, before, "punctuation")
    const takesBoth = !takesBefore && !takesAfter && start && end && suffices(run, "punctuation", "punctuation")
    if (encodes(run.before) && (takesBefore || takesBoth)) run.before.encodesEnd = true
    if (encodes(run.after) && (takesAfter || takesBoth)) run.after.encodesStart = true
  }
  Object.assign(run, flanks(run.sign, around(run.before, true), around(run.after, false)))
}

interface Length {
  readonly whole: number
  readonly left: number
}

interface OpenRun {
  readonly markers: Array<Sign>
  readonly whole: number
  readonly closes: boolean
}

/**
 * Whether each sign pairs with its own other one. CommonMark's rule of three counts the signs of a run, micromark those
 * that are left of it: what is written is right by both.
 */
const isPaired = (runs: ReadonlyArray<Run>, lengthOf: (length: Length) => number): boolean => {
  const open = new Map<string, Array<OpenRun>>()
  for (const { closes, opens, sign, tokens } of runs) {
    const markers = tokens.flatMap((token) => Array.from(token.span.sign, () => token))
    const whole = markers.length
    const openers = open.get(sign) ?? []
    open.set(sign, openers)
    while (markers.length > 0) {
      if (!closes) break
      const length = lengthOf({ whole, left: markers.length })
      const at = openers.findLastIndex((opener) => {
        const other = lengthOf({ whole: opener.whole, left: opener.markers.length })
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
