import { Effect } from "effect"
import type { InvalidInput } from "../../../Api/Errors.ts"
import { invalidField } from "../InvalidField.ts"
import type { LinkTargets } from "./LinkTargets.ts"
import { blocksFromMarkdown } from "./Markdown/FromMarkdown.ts"
import { exceededParseLimit } from "./Markdown/Parse.ts"
import { type NewBlock, plainStyle } from "./NewBlocks.ts"
import { normalizeText } from "./NormalizeText.ts"
import type { UnsupportedContent } from "./UnsupportedContent.ts"

export const markdownBlocks = (
  text: string,
  linkTargets: LinkTargets,
  unsupported: UnsupportedContent
): Effect.Effect<ReadonlyArray<NewBlock>, InvalidInput> => {
  const exceeded = exceededParseLimit(text)
  return exceeded === undefined
    ? Effect.sync(() => blocksFromMarkdown(text, linkTargets, unsupported))
    : Effect.fail(invalidField("text", exceeded))
}

/** The blocks of a tool's `text`. Fails when nothing is left to write, as for a comment or control characters. */
export const textBlocks = Effect.fnUntraced(function*(
  text: string,
  format: "markdown" | "plain",
  linkTargets: LinkTargets,
  unsupported: UnsupportedContent
): Effect.fn.Return<ReadonlyArray<NewBlock>, InvalidInput> {
  const blocks = format === "plain"
    ? plainTextBlocks(text)
    : yield* markdownBlocks(text, linkTargets, unsupported)
  return blocks.length === 0 || normalizeText(text) === ""
    ? yield* invalidField("text", "There is nothing in the text that a document could hold.")
    : blocks
})

const plainTextBlocks = (text: string): ReadonlyArray<NewBlock> => {
  const lines = normalizeText(text).replace(/\n$/, "").split("\n")
  return [{ kind: "paragraphs", paragraphs: lines.map((line) => ({ text: line, runs: [], style: plainStyle })) }]
}
