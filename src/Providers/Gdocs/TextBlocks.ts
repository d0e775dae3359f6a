import { Effect } from "effect"
import type { InvalidInput } from "../../Api/Errors.ts"
import { mistake } from "./Mistakes.ts"
import type { Block } from "./Write/Blocks.ts"
import { outOfBounds } from "./Write/Bounds.ts"
import { blocksFromMarkdown } from "./Write/FromMarkdown.ts"
import { blocksFromPlainText } from "./Write/FromPlainText.ts"
import type { Destination } from "./Write/Lines.ts"
import { normalizeText } from "./Write/Text.ts"
import type { Unsupported } from "./Write/Unsupported.ts"

/** A tool's `text`, where it is markdown, as blocks. */
export const markdownBlocks = (
  text: string,
  destination: Destination,
  unsupported: Unsupported
): Effect.Effect<ReadonlyArray<Block>, InvalidInput> => {
  const why = outOfBounds(text)
  return why === undefined
    ? Effect.sync(() => blocksFromMarkdown(text, destination, unsupported))
    : Effect.fail(mistake("text", why))
}

/** A tool's `text` as blocks. A text that comes to nothing (comments, control characters) is a mistake. */
export const textBlocks = Effect.fnUntraced(function*(
  text: string,
  format: "markdown" | "plain",
  destination: Destination,
  unsupported: Unsupported
): Effect.fn.Return<ReadonlyArray<Block>, InvalidInput> {
  const blocks = format === "plain"
    ? blocksFromPlainText(text)
    : yield* markdownBlocks(text, destination, unsupported)
  return blocks.length === 0 || normalizeText(text) === ""
    ? yield* mistake("text", "There is nothing in the text that a document could hold.")
    : blocks
})
