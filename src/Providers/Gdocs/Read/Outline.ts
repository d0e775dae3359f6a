import { headingText, type Piece, type TextPiece } from "./Pieces.ts"

/** A heading of a tab; those without text and those in table cells do not count. */
export interface Heading {
  /** 0 for the title and the subtitle, which are not headings of the first level. */
  readonly level: number
  readonly style?: "title" | "subtitle"
  readonly text: string
  readonly start: number
  readonly end: number
  readonly headingId?: string
  readonly tab: string
}

export const outlineOf = (pieces: ReadonlyArray<Piece>, tab: string): ReadonlyArray<Heading> =>
  pieces.flatMap((piece) => {
    const text = headingText(piece)
    return piece.kind !== "text" || text === undefined || text === "" ? [] : [headingOf(piece, text, tab)]
  })

const headingOf = ({ end, headingId, role, start }: TextPiece, text: string, tab: string): Heading => ({
  level: typeof role === "number" ? role : 0,
  ...(role === "title" || role === "subtitle" ? { style: role } : {}),
  text,
  start,
  end,
  ...(headingId === undefined ? {} : { headingId }),
  tab
})
