import { Effect, Option } from "effect"
import type { InvalidInput, RateLimited, ToolCallError } from "../../Api/Errors.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { ProviderCalls } from "../Provider.ts"
import { isLong } from "./DecodeDocument.ts"
import { documentsGet } from "./Endpoints.ts"
import { invalidField } from "./InvalidField.ts"
import { type TextPlans, textPlans } from "./Undo/TextPlans.ts"
import { runInThread } from "./Worker/WorkerPool.ts"

/** With all styles. `use` gets the document, and returns `null` for one that is not what it should be. */
export const readStyled = <A, E>(
  provider: ProviderCalls,
  documentId: string,
  use: (document: JsonText) => Effect.Effect<A | null, E>
): Effect.Effect<A, ToolCallError | E> =>
  provider.callWith(documentsGet, {
    path: { documentId },
    query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE" }
  }, (document) => Effect.map(use(document), Option.fromNullOr))

export const planTexts = <Name extends keyof TextPlans>(
  name: Name,
  input: TextPlans[Name]["input"],
  documents: ReadonlyArray<JsonText>
): Effect.Effect<TextPlans[Name]["output"] | null, RateLimited | InvalidInput> =>
  documents.some(isLong)
    ? Effect.catchTag(
      runInThread(name, input, documents),
      "JobTooLong",
      () => Effect.fail(invalidField("document", "The document takes too long to compare."))
    )
    : Effect.sync(() => textPlans[name](input, documents.map(({ value }) => value)))
