import { type Block, plain } from "./Blocks.ts"
import { normalizeText } from "./Text.ts"

/** A paragraph a line, characters as they are; a newline at the end ends the last line. */
export const blocksFromPlainText = (text: string): ReadonlyArray<Block> => {
  const lines = normalizeText(text).replace(/\n$/, "").split("\n")
  return [{ kind: "paragraphs", lines: lines.map((line) => ({ text: line, runs: [], look: plain })) }]
}
