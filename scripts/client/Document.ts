import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../../src/Features/Contracts.ts"

export const { components: { schemas }, paths } = OpenApi.fromApi(Api)
