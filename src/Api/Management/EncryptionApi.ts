import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import { PageRequest } from "../../Domain/Page.ts"
import { RotatedBatch } from "../../Domain/ReEncryption.ts"
import { ManagerRequired } from "../Authentication.ts"
import { InvalidInput } from "../Errors.ts"
import { group } from "../Group.ts"

export class EncryptionApi extends group("encryption", { title: "Management: encryption", listener: "admin" })
  .add(
    HttpApiEndpoint.post("rotate", "/rotate", {
      query: PageRequest,
      success: RotatedBatch,
      error: InvalidInput.schema
    }).annotateMerge(OpenApi.annotations({
      identifier: "rotateEncryption",
      summary:
        "Re-encrypt one batch of stored credentials, stored responses and secrets of webhooks with the first key",
      description:
        "Calls continue meanwhile. Cached responses that another key encrypts are dropped. Repeat with the returned `cursor` until it is `null`. After an interruption, start again."
    }))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/encryption")
{}
