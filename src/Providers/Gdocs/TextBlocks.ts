import { Effect } from "effect"
import type { InvalidInput, RateLimited } from "../../Api/Errors.ts"
import { invalidField } from "./InvalidField.ts"
import { runApart, runHere } from "./Worker/WorkerPool.ts"
import type { LinkTargets } from "./Writing/LinkTargets.ts"
import { exceededParseLimit } from "./Writing/Markdown/ParseLimits.ts"
import { type NewBlock, plainStyle } from "./Writing/NewBlocks.ts"
import { normalizeText } from "./Writing/NormalizeText.ts"
import type { UnsupportedContent } from "./Writing/UnsupportedContent.ts"

/** The longest text parsed on the main thread, in UTF-16 code units: at most 50 ms, as time grows quadratically. */
const maxLengthInProcess = 2000

export const markdownBlocks = Effect.fnUntraced(function*(
  text: string,
  linkTargets: LinkTargets,
  unsupported: UnsupportedContent
): Effect.fn.Return<ReadonlyArray<NewBlock>, InvalidInput | RateLimited> {
  const exceeded = exceededParseLimit(text)
  if (exceeded !== undefined) return yield* invalidField("text", exceeded)
  const input = { text, linkTargets }
  const parsed = text.length <= maxLengthInProcess
    ? yield* runHere("parseMarkdown", input)
    : yield* Effect.catchTag(
      runApart("parseMarkdown", input),
      "JobTooLong",
      () => invalidField("text", "The markdown takes too long to parse. Divide the text into several calls.")
    )
  unsupported.addLines(parsed.unsupported)
  return parsed.blocks
})

export const textBlocks = Effect.fnUntraced(function*(
  text: string,
  format: "markdown" | "plain",
  linkTargets: LinkTargets,
  unsupported: UnsupportedContent
): Effect.fn.Return<ReadonlyArray<NewBlock>, InvalidInput | RateLimited> {
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
