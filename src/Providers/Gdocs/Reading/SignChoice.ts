import { cost, type Encodable, isSign, type Piece, type Span } from "./SignRuns.ts"

const choices = { strong: ["**", "__"], emphasis: ["*", "_"], delete: ["~~"] } as const

/** Up to this many adjacent spans, all combinations of signs are tried. */
const maxTriedTogether = 6

/** Bounds the time that a long cluster takes. */
const maxSteps = 20_000

/** Chooses the signs that need the fewest references. The first and the last piece are the text around the others. */
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

const isEncoded = (piece: Piece | undefined): boolean =>
  piece !== undefined && !isSign(piece) && (piece.encodesStart || piece.encodesEnd)

/** For a long cluster, pairs of a span and its parent: first those beside a reference, to bound the time. */
const groupsToTry = (
  spans: ReadonlyArray<Span>,
  pieces: ReadonlyArray<Piece>
): ReadonlyArray<ReadonlyArray<Span>> => {
  if (spans.length <= maxTriedTogether) return [spans]
  const besideReferences = pieces.flatMap((piece, at) =>
    isSign(piece) && (isEncoded(pieces[at - 1]) || isEncoded(pieces[at + 1])) ? [piece.span] : []
  )
  return Array.from(
    new Set([...besideReferences, ...spans]),
    (span) => span.parent === undefined ? [span] : [span, span.parent]
  )
    .slice(0, Math.ceil(maxSteps / pieces.length))
}

/** A first choice: signs that differ from those beside them, otherwise the usual ones. */
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
