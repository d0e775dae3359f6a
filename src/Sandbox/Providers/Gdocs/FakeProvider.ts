import { Clock, Effect, Option, Predicate, Result, Schema } from "effect"
import { NewDocument, SuggestionsViewMode } from "../../../Providers/Gdocs/Schemas.ts"
import { dayAt } from "../../Data/Day.ts"
import { customers } from "../../Data/Portfolio.ts"
import type { SandboxStore } from "../../Data/SandboxStore.ts"
import type { FaultInjection } from "../../Faults/FaultInjection.ts"
import { findFault } from "../../Faults/Faults.ts"
import type { Identity } from "../../Identity/Identity.ts"
import { scopes } from "../../Identity/Scopes.ts"
import type { FakeProvider } from "../../Server/FakeProvider.ts"
import { type Drive, makeDrive, newFileId } from "../Google/Drive.ts"
import { googleApi, googleConnection, googleMethod } from "../Google/GoogleApi.ts"
import { type GoogleError, permissionDenied } from "../Google/GoogleError.ts"
import { boolText, message, withoutInput } from "../Google/ProtoJson.ts"
import { customerPlan } from "./CustomerPlan.ts"
import { batchUpdate, decodeBatchUpdate } from "./Engine/BatchUpdate.ts"
import { blankDocument } from "./Engine/Defaults.ts"
import type { Document } from "./Engine/Document.ts"
import { documentResource } from "./Engine/Resource.ts"
import { planDocument, planId } from "./Plan.ts"

const writeScopes = [scopes.documents, scopes.driveFile, scopes.drive]
const readScopes = [...writeScopes, scopes.documentsReadonly, scopes.driveReadonly]

const DocumentPath = Schema.Struct({ documentId: Schema.String })
const onDocument = {
  ...withoutInput,
  params: DocumentPath,
  resource: ({ params }: { readonly params: typeof DocumentPath.Type }) => params.documentId
}

const changeDocument =
  (drive: Drive<Document>) =>
  <A>(id: string, change: (document: Document) => Result.Result<readonly [A, Document], GoogleError>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => drive.change(id, dayAt(now), change))

const selectsTabs = (fields = "") => /(?:^|,)\s*tabs\b/.test(fields)

const getDocument = (drive: Drive<Document>) =>
  googleMethod({
    method: "GET",
    path: "/v1/documents/{documentId}",
    scopes: readScopes,
    ...onDocument,
    query: message({ includeTabsContent: boolText, suggestionsViewMode: SuggestionsViewMode }),
    respond: ({ fields, params, query }) =>
      changeDocument(drive)(params.documentId, (document) => {
        const includeTabsContent = query.includeTabsContent === true || selectsTabs(fields)
        return Result.succeed([documentResource(document, { ...query, includeTabsContent }), document])
      })
  })

const createDocument = (drive: Drive<Document>) =>
  googleMethod({
    method: "POST",
    path: "/v1/documents",
    scopes: writeScopes,
    ...withoutInput,
    body: NewDocument,
    respond: Effect.fnUntraced(function*({ body, caller }) {
      if (caller.kind === "service_account") return yield* permissionDenied
      const document = blankDocument(newFileId(), body.title)
      yield* drive.add(document.documentId, document)
      return documentResource(document)
    })
  })

const updateDocument = (drive: Drive<Document>) =>
  googleMethod({
    method: "POST",
    path: "/v1/documents/{documentId}:batchUpdate",
    scopes: writeScopes,
    ...onDocument,
    body: Schema.Unknown,
    respond: ({ body, params }) =>
      Effect.flatMap(Effect.fromResult(decodeBatchUpdate(body)), (update) =>
        changeDocument(drive)(params.documentId, (document) =>
          Result.map(batchUpdate(document, update), ([changed, response]) =>
            [response, changed] as const)))
  })

const isDocument = (value: unknown): value is Document => Predicate.hasProperty(value, "documentId")

export const fakeProvider: Effect.Effect<FakeProvider, never, Identity | FaultInjection | SandboxStore> = Effect.gen(
  function*() {
    const drive = yield* makeDrive<Document>({
      kind: "document",
      isFile: isDocument,
      seed: (id) => {
        const customer = customers.find(({ files }) => files.document === id)
        if (customer !== undefined) return customerPlan(customer)
        return id === planId || Option.isSome(findFault(id)) ? planDocument(id) : undefined
      }
    })
    return {
      apps: {
        gdocs: yield* googleApi("docs.googleapis.com", [
          getDocument(drive),
          createDocument(drive),
          updateDocument(drive)
        ])
      },
      connection: googleConnection("gdocs", "documents", scopes.documents)
    }
  }
)
