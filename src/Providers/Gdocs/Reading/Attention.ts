import type { Handle, State } from "mdast-util-to-markdown"
import { chooseSigns } from "./SignChoice.ts"
import type { Piece, Span, SpanKind, Text } from "./SignRuns.ts"

/*
 * Bold, italic and struck-through text is first written with control characters as placeholders, because no document
 * contains them. Then all signs are chosen together, because the meaning of one depends on those around it.
 */

const kinds = {
  strong: { open: "\u0001", close: "\u0002" },
  emphasis: { open: "\u0003", close: "\u0004" },
  delete: { open: "\u0005", close: "\u0006" }
} as const satisfies Record<SpanKind, { readonly open: string; readonly close: string }>

// oxlint-disable-next-line no-control-regex
const placeholders = /(\*[\u0001\u0003\u0005]|[\u0002\u0004\u0006]\*)/

/** The sign that the library sees. Beside it, the library escapes text so that a letter may become a reference. */
const edge = "*"

const handler = (kind: SpanKind): Handle => {
  const { close, open } = kinds[kind]
  const handle: Handle = (node, _, state, info) => {
    const exit = state.enter("emphasis")
    const inside = state.containerPhrasing(node, { ...info, before: edge, after: edge })
    exit()
    return inside === "" ? "" : `${edge}${open}${inside}${close}${edge}`
  }
  return Object.assign(handle, { peek: () => edge })
}

export const attentionHandlers = { strong: handler("strong"), emphasis: handler("emphasis"), delete: handler("delete") }

export const writeAttention = (state: State): void => {
  const write = state.containerPhrasing.bind(state)
  state.containerPhrasing = (parent, info) => {
    const text = write(parent, info)
    return parent.type in kinds || !placeholders.test(text) ? text : withSigns(text, info.before, info.after)
  }
}

const withSigns = (text: string, before: string, after: string): string => {
  const pieces = [textPiece(before), ...piecesOf(text), textPiece(after)]
  chooseSigns(pieces)
  return pieces.slice(1, -1).map((piece) => "span" in piece ? piece.span.sign : withReferences(piece)).join("")
}

const textPiece = (text: string): Text => ({ text, encodesStart: false, encodesEnd: false })

const piecesOf = (text: string): ReadonlyArray<Piece> => {
  const open: Array<Span> = []
  return text.split(placeholders).flatMap((part, at): ReadonlyArray<Piece> => {
    if (at % 2 === 0) return part === "" ? [] : [textPiece(part)]
    const kind = kindsList.find((each) => part.includes(kinds[each].open) || part.includes(kinds[each].close))
    if (kind === undefined) return []
    if (!part.includes(kinds[kind].open)) {
      const span = open.pop()
      return span === undefined ? [] : [{ span, opens: false }]
    }
    const span = { kind, sign: "", parent: open.at(-1) }
    open.push(span)
    return [{ span, opens: true }]
  })
}

const kindsList = ["strong", "emphasis", "delete"] as const

const reference = (character: string): string => `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`

const withReferences = ({ encodesEnd, encodesStart, text }: Text): string => {
  if (!encodesStart && !encodesEnd) return text
  const characters = Array.from(text)
  if (characters.length === 1) return reference(text)
  const first = encodesStart ? reference(characters.shift() ?? "") : ""
  if (!encodesEnd) return first + characters.join("")
  const last = reference(characters.pop() ?? "")
  const rest = characters.join("")
  const backslashes = /\\*$/.exec(rest)?.[0].length ?? 0
  return `${first}${rest}${backslashes % 2 === 1 ? "\\" : ""}${last}`
}
