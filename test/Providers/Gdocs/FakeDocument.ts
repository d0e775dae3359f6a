import { Effect, Result } from "effect"
import { UpstreamError, type UpstreamUnreachable } from "../../../src/Api/Errors/ProviderErrors.ts"
import type { RawInput } from "../../../src/Providers/Provider.ts"
import { batchUpdate, decodeBatchUpdate } from "../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import { blankDocument } from "../../../src/Sandbox/Providers/Gdocs/Engine/Defaults.ts"
import type { Document } from "../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { documentResource } from "../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { selectFields } from "../../../src/Sandbox/Providers/Google/FieldMask.ts"
import type { GoogleError } from "../../../src/Sandbox/Providers/Google/GoogleError.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"

export const fakeDocument = (
  state: Document = blankDocument("doc", "Draft"),
  /** A concurrent edit before each write, or the error that fails the write. */
  beforeWrite: (state: Document, write: number) => Document | UpstreamError | UpstreamUnreachable = (same) => same
) => {
  let current = state
  let writes = 0

  const fake = fakeProvider((endpoint, { body, query = {} }) => {
    if (endpoint === "documents.create") {
      current = blankDocument("doc", titleIn(body))
      return documentResource(current)
    }
    if (endpoint === "documents.get") return answerOf(current, query)
    const found = beforeWrite(current, ++writes)
    if (found instanceof Error) return Effect.fail(found)
    current = found
    const done = Result.flatMap(decodeBatchUpdate(body), (update) => batchUpdate(found, update))
    return Effect.fromResult(Result.mapBoth(done, {
      onSuccess: ([changed, answered]) => {
        current = changed
        return answered
      },
      onFailure: upstreamError
    }))
  })
  return { ...fake, state: () => current }
}

const titleIn = (body: unknown): string =>
  typeof body === "object" && body !== null && "title" in body ? String(body.title) : ""

const answerOf = (state: Document, query: NonNullable<RawInput["query"]>) => {
  const answer = documentResource(state, { includeTabsContent: query["includeTabsContent"] === true })
  const { fields } = query
  return typeof fields === "string"
    ? Effect.mapError(selectFields(fields, answer), upstreamError)
    : Effect.succeed<unknown>(answer)
}

export const upstreamError = ({ body, code }: GoogleError): UpstreamError =>
  new UpstreamError({ status: code, message: body.error.message, details: JSON.parse(JSON.stringify(body)) })
