import { Effect, Option, Result } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { decodeDocument } from "../DecodeDocument.ts"
import { chosenTabs, describeRead, readableTabs, type ReadRequest } from "../Reading/ReadDocument.ts"
import type { ReadableTab, ReadOptions, TabsText } from "../Reading/ReadTabs.ts"
import { readTabs } from "../Reading/ReadTabs.ts"
import type { Document } from "../Responses.ts"
import { type TextPlans, textPlans } from "../Undo/TextPlans.ts"
import type { LinkTargets } from "../Writing/LinkTargets.ts"
import { blocksFromMarkdown } from "../Writing/Markdown/FromMarkdown.ts"
import type { NewBlock } from "../Writing/NewBlocks.ts"
import { UnsupportedContent } from "../Writing/UnsupportedContent.ts"

export interface Jobs extends TextPlans {
  readonly parseMarkdown: {
    readonly input: { readonly text: string; readonly linkTargets: LinkTargets }
    readonly output: { readonly blocks: ReadonlyArray<NewBlock>; readonly unsupported: ReadonlyArray<string> }
  }
  readonly readTabs: {
    readonly input: { readonly tabs: ReadonlyArray<ReadableTab>; readonly options: ReadOptions }
    readonly output: TabsText
  }
  readonly decodeDocument: {
    readonly input: object
    readonly output: Document | null
  }
  readonly readDocument: {
    readonly input: ReadRequest
    readonly output:
      | { readonly read: ReturnType<typeof describeRead> }
      | { readonly message: string; readonly issues: ReadonlyArray<Issue> }
      | null
  }
}

export const jobs: {
  readonly [Name in keyof Jobs]: (
    input: Jobs[Name]["input"],
    documents: ReadonlyArray<unknown>
  ) => Jobs[Name]["output"]
} = {
  ...textPlans,
  parseMarkdown: ({ linkTargets, text }) => {
    const unsupported = new UnsupportedContent()
    return { blocks: blocksFromMarkdown(text, linkTargets, unsupported), unsupported: unsupported.lines }
  },
  readTabs: ({ options, tabs }) => readTabs(tabs, options),
  decodeDocument: (_, [document]) => Option.getOrNull(decodeDocument(document)),
  readDocument: (request, [read]) => {
    const document = Option.getOrNull(decodeDocument(read))
    if (document === null) return null
    return Result.match(Effect.runSync(Effect.result(chosenTabs(document, request))), {
      onSuccess: (tabs) => ({
        read: describeRead(document, tabs, request, readTabs(readableTabs(tabs), request.options))
      }),
      onFailure: ({ details = [], message }) => ({ message, issues: details })
    })
  }
}
