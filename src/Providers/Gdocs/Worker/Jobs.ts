import { Effect, Option, Result } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import type { Answers, Jobs, JobTypes } from "../../Tooling/Jobs.ts"
import { decodeDocument } from "../DecodeDocument.ts"
import { chosenTabs, describeRead, readableTabs, type ReadRequest } from "../Reading/ReadDocument.ts"
import type { ReadableTab, ReadOptions, TabsText } from "../Reading/ReadTabs.ts"
import { readTabs } from "../Reading/ReadTabs.ts"
import type { Document } from "../Responses.ts"
import { textPlans } from "../Undo/TextPlans.ts"
import type { LinkTargets } from "../Writing/LinkTargets.ts"
import { blocksFromMarkdown } from "../Writing/Markdown/FromMarkdown.ts"
import { UnsupportedContent } from "../Writing/UnsupportedContent.ts"

const all = {
  ...textPlans,
  parseMarkdown: ({ linkTargets, text }: { readonly text: string; readonly linkTargets: LinkTargets }) => {
    const unsupported = new UnsupportedContent()
    return { blocks: blocksFromMarkdown(text, linkTargets, unsupported), unsupported: unsupported.lines }
  },
  readTabs: (
    { options, tabs }: { readonly tabs: ReadonlyArray<ReadableTab>; readonly options: ReadOptions }
  ): TabsText => readTabs(tabs, options),
  decodeDocument: (_: object, [document]: Answers): Document | null => Option.getOrNull(decodeDocument(document)),
  readDocument: (request: ReadRequest, [read]: Answers):
    | { readonly read: ReturnType<typeof describeRead> }
    | { readonly message: string; readonly issues: ReadonlyArray<Issue> }
    | null =>
  {
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

export type JobsOfDocuments = JobTypes<typeof all>

export const jobs: Jobs<JobsOfDocuments> = all
