import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../Api/CoreApi.ts"
import { RouteNotFound } from "../../Api/Errors/RequestErrors.ts"
import { operatorBranding } from "../../Pages/OperatorBranding.ts"
import { pageFont } from "../../Pages/PageFont.ts"

export const PageFiles = HttpApiBuilder.group(
  CoreApi,
  "pageFiles",
  Effect.fn(function*(handlers) {
    const { logo } = yield* operatorBranding
    const font = yield* pageFont
    return handlers.handleAll({
      font: () => Effect.mapError(Effect.fromOption(font), () => new RouteNotFound()),
      logo: () => Effect.mapError(Effect.fromOption(logo), () => new RouteNotFound())
    })
  })
)
