import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ConnectionId } from "../Domain/Ids.ts"
import { AdminTokenRequired } from "./Authentication.ts"
import { ErrorBody } from "./ErrorBody.ts"
import { InvalidInput } from "./Errors.ts"
import { Cursor, Page } from "./Fields.ts"

/** Stored credentials that the configured keys do not open. */
export const Unopened = Schema.Struct({
  connection_id: Schema.NullOr(ConnectionId).annotate({
    description: "`null` for a sign-in that has begun and has no connection yet."
  }),
  encryption_key_id: Schema.String.annotate({ description: "The key that they are sealed under." }),
  reason: Schema.String
}).annotate({ identifier: "Unopened" })
export type Unopened = typeof Unopened.Type

export const RotatedBatch = Schema.Struct({
  key_id: Schema.String.annotate({ description: "The first key of `ENCRYPTION_KEYS`: the one that seals." }),
  rotated: Schema.Int.annotate({ description: "How many this request re-encrypted." }),
  remaining: Schema.Int.annotate({
    description: "How many are still sealed under another key, those in `failed` too."
  }),
  failed: Schema.Array(Unopened).annotate({ description: "Those of this batch that could not be opened, and why." }),
  cursor: Cursor
}).annotate({ identifier: "RotatedBatch" })
export type RotatedBatch = typeof RotatedBatch.Type

export class EncryptionApi extends HttpApiGroup.make("encryption")
  .add(
    HttpApiEndpoint.post("rotate", "/rotate", {
      query: Page,
      success: RotatedBatch,
      error: InvalidInput.schema
    }).annotateMerge(OpenApi.annotations({
      summary: "Re-encrypt one batch of stored credentials with the first key",
      description:
        "Calls go on meanwhile. Pass `cursor` on until it is `null`; begin again whenever it was interrupted."
    }))
  )
  .middleware(AdminTokenRequired)
  .middleware(ErrorBody)
  .prefix("/admin/v1/encryption")
  .annotateMerge(OpenApi.annotations({ title: "Management: encryption" }))
{}
