import { Effect, Option } from "effect"
import type { InvalidInput, RateLimited, ToolCallError } from "../../Api/Errors.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { ProviderCalls } from "../Provider.ts"
import { isLong } from "./DecodeDocument.ts"
import { documentsGet } from "./Endpoints.ts"
import { invalidField } from "./InvalidField.ts"
import { type TextPlans, textPlans } from "./Undo/TextPlans.ts"
import { runInThread } from "./Worker/WorkerPool.ts"

interface Plan<Name extends keyof TextPlans> {
  readonly name: Name
  readonly input: TextPlans[Name]["input"]
}

/** Reads a document with all styles, and plans with it. */
export const readStyled = <Name extends keyof TextPlans>(
  provider: ProviderCalls,
  documentId: string,
  plan: Plan<Name>,
  before: ReadonlyArray<JsonText> = []
): Effect.Effect<
  { readonly document: JsonText; readonly planned: TextPlans[Name]["output"] },
  ToolCallError | InvalidInput
> =>
  provider.callWith(documentsGet, {
    path: { documentId },
    query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE" }
  }, (document) =>
    Effect.map(
      planTexts(plan, [...before, document]),
      (planned) => Option.some({ document, planned })
    ))

const planTexts = <Name extends keyof TextPlans>(
  { input, name }: Plan<Name>,
  documents: ReadonlyArray<JsonText>
): Effect.Effect<TextPlans[Name]["output"], RateLimited | InvalidInput> =>
  documents.some(isLong)
    ? Effect.catchTag(
      runInThread(name, input, documents),
      "JobTooLong",
      () => Effect.fail(invalidField("document", "The document takes too long to compare."))
    )
    : Effect.sync(() => textPlans[name](input, documents.map(({ value }) => value)))
