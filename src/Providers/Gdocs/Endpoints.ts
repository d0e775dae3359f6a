import { Schema } from "effect"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import { FileId, requestBody } from "../Google/Message.ts"
import { googleQuery } from "../Google/Query.ts"
import { endpoint, type RawEndpoint } from "../Provider.ts"
import { BatchUpdateDocumentRequest } from "./Generated.ts"
import { NewDocument, SuggestionsViewMode } from "./Schemas.ts"

const origin = { id: "gdocs", setting: "GDOCS_BASE_URL", url: "https://docs.googleapis.com" }

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

export const gdocsScopes = { read: [scope("documents.readonly")], write: [scope("documents")] }

const writeScopes = [...gdocsScopes.write, scope("drive.file"), scope("drive")]
const readScopes = [...gdocsScopes.read, ...writeScopes, scope("drive.readonly")]

const path = Schema.Struct({
  documentId: FileId("The document's id: the part of its URL after `/document/d/`.")
}).annotate({ description: "URL placeholders." })

export const documentsGet = endpoint({
  id: "documents.get",
  description:
    "Full document resource. With `includeTabsContent=true` every tab is returned in `tabs`; otherwise `body` holds " +
    "the first tab only.",
  method: "GET",
  origin,
  path: "/v1/documents/{documentId}",
  writes: false,
  scopes: readScopes,
  input: Schema.Struct({
    path,
    query: googleQuery({
      includeTabsContent: Schema.optionalKey(Schema.Boolean.annotate({
        description: "Whether to return the content of every tab in `tabs` instead of the first tab's in `body`.",
        default: false
      })),
      suggestionsViewMode: Schema.optionalKey(SuggestionsViewMode)
    })
  }),
  resources: { names: ({ path }) => path.documentId }
})

export const documentsCreate = endpoint({
  id: "documents.create",
  description:
    "Creates a blank document; only `title` is used. Requires a connection made through an identity-provider " +
    "sign-in; service accounts cannot own files.",
  method: "POST",
  origin,
  path: "/v1/documents",
  writes: true,
  createsFile: true,
  scopes: writeScopes,
  input: Schema.Struct({ query: googleQuery({}), body: Schema.optionalKey(requestBody(NewDocument)) }),
  resources: { creates: "documentId" }
})

export const documentsBatchUpdate = endpoint({
  id: "documents.batchUpdate",
  description:
    "Applies document requests atomically (insertText, deleteContentRange, replaceAllText, createParagraphBullets and " +
    "others). Indexes are UTF-16 code units; edits are ordered from the highest index down.",
  method: "POST",
  origin,
  path: "/v1/documents/{documentId}:batchUpdate",
  writes: true,
  scopes: writeScopes,
  input: Schema.Struct({ path, query: googleQuery({}), body: requestBody(BatchUpdateDocumentRequest) }),
  touches: ({ body, path }) => ({
    _tag: "Edits",
    file: path.documentId,
    edits: body.requests,
    ...body.writeControl === undefined ? {} : { revision: body.writeControl }
  }),
  resources: { names: ({ path }) => path.documentId, refuses: ({ body }) => richLinkIssues(body) }
})

/** A rich link shows the title of the file that it leads to. */
const richLinkIssues = ({ requests = [] }: typeof BatchUpdateDocumentRequest.Type): ReadonlyArray<Issue> =>
  requests.flatMap((request, index) =>
    request.insertRichLink === undefined ? [] : [{
      path: ["input", "body", "requests", index, "insertRichLink"],
      message: "A rich link would show the title of another file. Insert a text with a link instead"
    }]
  )

export const gdocsEndpoints: ReadonlyArray<RawEndpoint> = [documentsGet, documentsCreate, documentsBatchUpdate]
