import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { strict } from "../Domain/Validation/Validation.ts"
import { HeadersTooLarge, MethodNotAllowed, Unavailable } from "./Errors/RequestErrors.ts"
import { Listener } from "./Listener.ts"
import { ErrorResponses } from "./Middleware.ts"
import { describeDocument } from "./Responses.ts"

export const group = <const Name extends string>(
  name: Name,
  { listener, title }: { readonly title: string; readonly listener: Listener }
) => HttpApiGroup.make(name).annotate(Listener, listener).annotateMerge(OpenApi.annotations({ title }))

export type Groups = readonly [HttpApiGroup.Constraint, ...ReadonlyArray<HttpApiGroup.Constraint>]

/** The core and each feature serve groups of their own on one router. All of their errors have one form. */
export const served = <const G extends Groups>(groups: G) =>
  HttpApi.make("openaccounts")
    // oxlint-disable-next-line openaccounts/no-spread-arguments -- The list is written in the code.
    .add(...groups)
    .middleware(ErrorResponses)
    .annotateMerge(OpenApi.annotations({
      title: "OpenAccounts",
      version: "1",
      description: "One HTTP API for every raw endpoint and smart tool of search console, analytics, site search, " +
        "spreadsheets and documents, through connections stored in the service. An unknown path gets " +
        "`route_not_found`. An unsupported method gets `method_not_allowed`. Headers that are too long get " +
        "`headers_too_large`. While the service starts, stops or is at its connection limit, a request gets " +
        "`unavailable`."
    }))
    .annotate(HttpApi.ParseOptions, strict)
    .annotate(
      HttpApi.AdditionalSchemas,
      [MethodNotAllowed, HeadersTooLarge, Unavailable].map(({ schema }) => Schema.toEncoded(schema))
    )
    .annotate(OpenApi.Transform, describeDocument)
