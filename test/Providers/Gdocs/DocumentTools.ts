import { Effect } from "effect"
import { docsAppend } from "../../../src/Providers/Gdocs/Tools/Append.ts"
import { docsCreate } from "../../../src/Providers/Gdocs/Tools/Create.ts"
import { docsInsert } from "../../../src/Providers/Gdocs/Tools/Insert.ts"
import { docsRead } from "../../../src/Providers/Gdocs/Tools/Read.ts"
import { docsReplaceText } from "../../../src/Providers/Gdocs/Tools/ReplaceText.ts"
import type { ProviderCalls } from "../../../src/Providers/Provider.ts"
import type { Document } from "../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { type Json, runTool } from "../../support/RunTool.ts"
import { fakeDocument } from "./FakeDocument.ts"

export const readDoc = (provider: ProviderCalls, input: Json = {}) =>
  runTool(docsRead, provider, { document: "doc", max_chars: 200_000, ...input })

export const createDoc = (provider: ProviderCalls, text: string) =>
  runTool(docsCreate, provider, { title: "Draft", text })

export const appendDoc = (provider: ProviderCalls, input: Json) =>
  runTool(docsAppend, provider, { document: "doc", ...input })

export const insertDoc = (provider: ProviderCalls, input: Json) =>
  runTool(docsInsert, provider, { document: "doc", ...input })

export const replaceDoc = (provider: ProviderCalls, input: Json) =>
  runTool(docsReplaceText, provider, { document: "doc", ...input })

export const written = (markdown: string): Effect.Effect<Document> => {
  const { provider, state } = fakeDocument()
  return createDoc(provider, markdown).pipe(Effect.orDie, Effect.map(state))
}

export const roundTrip = Effect.fnUntraced(function*(markdown: string) {
  const { provider } = fakeDocument()
  const created = yield* createDoc(provider, markdown)
  const read = yield* readDoc(provider)
  return { created, read, text: String(read["text"]) }
})

export const refusal = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, {
    onSuccess: () => "accepted",
    onFailure: (error) => {
      const details = typeof error === "object" && error !== null && "details" in error ? error.details : undefined
      return Array.isArray(details)
        ? details.map(({ message, path }) => `${path.slice(1).join(".")}: ${message}`).join("\n")
        : String(error)
    }
  })
