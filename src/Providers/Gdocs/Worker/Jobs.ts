import { Effect, Option } from "effect"
import type { Answers, Jobs, JobTypes } from "../../Tooling/Jobs.ts"
import { decodeDocument } from "../DecodeDocument.ts"
import { readDocument, type ReadRequest } from "../Reading/ReadDocument.ts"
import type { Document } from "../Responses.ts"
import { textPlans } from "../Undo/TextPlans.ts"
import type { LinkTargets } from "../Writing/LinkTargets.ts"
import { blocksFromMarkdown } from "../Writing/Markdown/FromMarkdown.ts"
import { UnsupportedContent } from "../Writing/UnsupportedContent.ts"

const read = (document: Document, request: ReadRequest) =>
  Effect.runSync(Effect.match(readDocument(document, request), {
    onSuccess: (read) => ({ read }),
    onFailure: ({ details = [], message }) => ({ message, details })
  }))

const all = {
  ...textPlans,
  parseMarkdown: ({ linkTargets, text }: { readonly text: string; readonly linkTargets: LinkTargets }) => {
    const unsupported = new UnsupportedContent()
    return { blocks: blocksFromMarkdown(text, linkTargets, unsupported), unsupported: unsupported.lines }
  },
  decodeDocument: (_: object, [document]: Answers): Document | null => Option.getOrNull(decodeDocument(document)),
  readDocument: ({ document, request }: { readonly document: Document; readonly request: ReadRequest }) =>
    read(document, request),
  decodeAndRead: (request: ReadRequest, [answer]: Answers) => {
    const document = Option.getOrNull(decodeDocument(answer))
    return document && read(document, request)
  }
}

export type JobsOfDocuments = JobTypes<typeof all>

export const jobs: Jobs<JobsOfDocuments> = all
