import { Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/** Answered with 201. Suspended, for a status of its own would make it another schema under the same name. */
export const Created = <S extends Schema.Top>(schema: S) =>
  Schema.suspend(() => schema).annotate({ description: "Created" }).pipe(HttpApiSchema.status(201))
