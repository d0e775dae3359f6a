import { Schema } from "effect"

export const SuggestionsViewMode = Schema.Literals([
  "DEFAULT_FOR_CURRENT_ACCESS",
  "SUGGESTIONS_INLINE",
  "PREVIEW_SUGGESTIONS_ACCEPTED",
  "PREVIEW_WITHOUT_SUGGESTIONS"
]).annotate({
  description:
    "How suggested changes are shown. Indexes for `documents.batchUpdate` are those of `SUGGESTIONS_INLINE`, which is " +
    "also what an editor gets by default.",
  default: "DEFAULT_FOR_CURRENT_ACCESS"
})

/** The provider drops every other field of a new document in silence, so they are unknown fields here. */
export const NewDocument = Schema.Struct({
  title: Schema.optionalKey(Schema.String.annotate({ description: "The new document's title." }))
}).annotate({ description: "The new document." })
