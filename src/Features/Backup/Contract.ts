import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { ManagerRequired } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { Created, operation } from "../../Api/Responses.ts"

const Snapshot = Schema.Struct({
  folder: Schema.String.annotate({ description: "On the service's machine. Remove it afterwards." })
}).annotate({ identifier: "Snapshot" })

export class SnapshotsGroup extends group("snapshots", { title: "Management: snapshots", listener: "admin" })
  .add(
    HttpApiEndpoint.post("take", "/", { success: Created(Snapshot), error: InvalidInput.schema })
      .annotateMerge(operation("takeSnapshot", "Copy the folder of the embedded database, for `oa backup`"))
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/snapshots")
{}

export class SnapshotsApi extends served([SnapshotsGroup]) {}
