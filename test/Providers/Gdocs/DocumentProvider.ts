import { Effect, Result } from "effect"
import { UpstreamError } from "../../../src/Api/Errors.ts"
import type { RawInput } from "../../../src/Providers/Provider.ts"
import { batchUpdate, readBatchUpdate } from "../../../src/Sandbox/Documents/BatchUpdate.ts"
import { create } from "../../../src/Sandbox/Documents/Create.ts"
import { get } from "../../../src/Sandbox/Documents/Get.ts"
import type { Refusal } from "../../../src/Sandbox/Documents/Refusal.ts"
import type { DocumentState } from "../../../src/Sandbox/Documents/State.ts"
import { project } from "../../../src/Sandbox/Google/FieldMask.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"

/** A provider with one document, which the model of documents keeps. */
export const documentProvider = (
  state: DocumentState = create("doc", "Draft"),
  /** What somebody else does just before each write. */
  meanwhile: (state: DocumentState, write: number) => DocumentState = (same) => same
) => {
  let current = state
  let writes = 0
  const { calls, provider } = fakeProvider((endpoint, { body, query = {} }: RawInput) => {
    switch (endpoint) {
      case "documents.create":
        current = create("doc", titleIn(body))
        return get(current)
      case "documents.get":
        return answerOf(current, query)
      default: {
        current = meanwhile(current, ++writes)
        const done = Result.flatMap(readBatchUpdate(body), (update) => batchUpdate(current, update))
        return Effect.fromResult(Result.mapBoth(done, {
          onSuccess: ([changed, answer]) => {
            current = changed
            return answer
          },
          onFailure: upstreamError
        }))
      }
    }
  })
  return { provider, calls, state: () => current }
}

const titleIn = (body: unknown): string =>
  typeof body === "object" && body !== null && "title" in body ? String(body.title) : ""

const answerOf = (state: DocumentState, query: NonNullable<RawInput["query"]>) => {
  const answer = get(state, { includeTabsContent: query["includeTabsContent"] === true })
  const { fields } = query
  return typeof fields === "string" ? Effect.mapError(project(fields, answer), upstreamError) : answer
}

const upstreamError = ({ body, code }: Refusal): UpstreamError =>
  new UpstreamError({ status: code, message: body.error.message, details: JSON.parse(JSON.stringify(body)) })
