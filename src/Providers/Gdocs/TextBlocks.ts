import { Effect } from "effect"
import type { InvalidInput } from "../../Api/Errors.ts"
import { mistake } from "./Mistakes.ts"
import type { Block } from "./Write/Blocks.ts"
import { blocksFromMarkdown } from "./Write/FromMarkdown.ts"
import { blocksFromPlainText } from "./Write/FromPlainText.ts"
import type { Destination } from "./Write/Lines.ts"
import { normalizeText } from "./Write/Text.ts"
import type { Unsupported } from "./Write/Unsupported.ts"

/** A tool's `text` as blocks. A text that comes to nothing (comments, control characters) is a mistake. */
export const textBlocks = (
  text: string,
  format: "markdown" | "plain",
  destination: Destination,
  unsupported: Unsupported
): Effect.Effect<ReadonlyArray<Block>, InvalidInput> => {
  const blocks = format === "plain" ? blocksFromPlainText(text) : blocksFromMarkdown(text, destination, unsupported)
  return blocks.length === 0 || normalizeText(text) === ""
    ? Effect.fail(mistake("text", "There is nothing in the text that a document could hold."))
    : Effect.succeed(blocks)
}
