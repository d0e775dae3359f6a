import { Option, Schema } from "effect"
import type { TextChange } from "../../../Domain/Calls/Change.ts"
import type { Request } from "../Writing/Requests.ts"
import { isLossy } from "./LossyEdits.ts"
import { paragraphsOf, StyledDocument } from "./Paragraphs.ts"
import { changedRegions, type KeptRegion, textOfRegion } from "./Regions.ts"
import type { TextEdit } from "./TextEdits.ts"
import { noText, type SegmentText } from "./Texts.ts"
import { undoRegions } from "./UndoRegions.ts"

/** The parts of a plan that take long for a long document. They take and return JSON, beside documents. */
export interface TextPlans {
  readonly lossy: {
    readonly input: { readonly texts: ReadonlyArray<SegmentText>; readonly edits: ReadonlyArray<TextEdit> }
    readonly output: { readonly isLossy: boolean }
  }
  readonly changed: {
    readonly input: {
      /** As the edits leave them. */
      readonly texts: ReadonlyArray<SegmentText>
      /** Of the document after the write. */
      readonly revision?: string
    }
    /** None where another edit came between, or where a change has no exact inverse. */
    readonly output: { readonly regions?: ReadonlyArray<KeptRegion> }
  }
  readonly undone: {
    readonly input: { readonly regions: ReadonlyArray<KeptRegion> }
    readonly output: {
      readonly changes: ReadonlyArray<TextChange>
      readonly conflicts: ReadonlyArray<TextChange>
      readonly requests: ReadonlyArray<Request>
      readonly revisionId?: string
    }
  }
}

/** `null` where a document is not what it should be. */
export type TextJobs = {
  readonly [Name in keyof TextPlans]: {
    readonly input: TextPlans[Name]["input"]
    readonly output: TextPlans[Name]["output"] | null
  }
}

export const textPlans: {
  readonly [Name in keyof TextJobs]: (
    input: TextJobs[Name]["input"],
    documents: ReadonlyArray<unknown>
  ) => TextJobs[Name]["output"]
} = {
  lossy: ({ edits, texts }, documents) => {
    const [before] = decode(documents)
    return before === undefined ? null : { isLossy: isLossy(texts, paragraphsOf(before), edits) }
  },
  changed: ({ revision, texts }, documents) => {
    const [before, after] = decode(documents)
    if (before === undefined || after === undefined) return null
    const left = paragraphsOf(after)
    if (!isAsEdited(texts, left) || revision !== undefined && revision !== after.revisionId) return {}
    const regions = changedRegions(paragraphsOf(before), left)
    return regions === undefined ? {} : { regions }
  },
  undone: ({ regions }, documents) => {
    const [now] = decode(documents)
    if (now === undefined) return null
    const { revisionId } = now
    return { ...undoRegions(regions, paragraphsOf(now)), ...revisionId === undefined ? {} : { revisionId } }
  }
}

const decodeOne = Schema.decodeUnknownOption(StyledDocument)

const decode = (documents: ReadonlyArray<unknown>) =>
  documents.map((document) => Option.getOrUndefined(decodeOne(document)))

/** Otherwise another edit came between the reads and the write. */
const isAsEdited = (texts: ReadonlyArray<SegmentText>, after: ReturnType<typeof paragraphsOf>): boolean => {
  const segments = Map.groupBy(after, ({ segmentId, tabId }) => `${tabId}/${segmentId}`)
  return texts.every(({ segmentId, tabId, text }) =>
    plain(text) === plain(textOfRegion(segments.get(`${tabId}/${segmentId}`) ?? []))
  )
}

const plain = (text: string): string => text.replaceAll(noText, "")
