import { Command } from "effect/cli"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../Api/Api.ts"
import { printText } from "./Output.ts"

export const openapi = Command.make("openapi", {}, () => printText(JSON.stringify(OpenApi.fromApi(Api), null, 2))).pipe(
  Command.withDescription("Print the OpenAPI document of this version; needs no server"),
  Command.withExamples([{ command: "oa openapi > openapi.json" }])
)
