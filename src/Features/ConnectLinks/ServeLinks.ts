import { Effect, Layer, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { ConnectMethods } from "../../Connections/Connect/ConnectMethods.ts"
import { OpenLinks, type ServedLinks } from "../../Connections/Connect/OpenLinks.ts"
import { CurrentActor, systemActor } from "../../Domain/Request/Actor.ts"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import { acceptsHtml } from "../../Http/Pages/SignInPages.ts"
import { toApiError } from "../../Http/Server/ErrorResponses.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { ConnectLinks } from "./ConnectLinks.ts"
import { connectResponses, seeOther } from "./Visits/ConnectResponses.ts"
import { LinkVisits } from "./Visits/LinkVisits.ts"
import { linkFailurePage } from "./Visits/Pages/ConnectFailures.ts"

const makeServedLinks = Effect.gen(function*() {
  const { countOf, create, endOf, endOfClient } = yield* ConnectLinks
  const catalog = yield* Catalog
  const methods = yield* ConnectMethods
  const responses = yield* connectResponses
  const visits = yield* LinkVisits

  const served: ServedLinks = {
    countOf,
    endOf,
    endOfClient,

    reconnectUrl: Effect.fnUntraced(function*({ client_id, id, provider: providerId }) {
      const provider = yield* Effect.option(catalog.provider(providerId))
      if (Option.isNone(provider) || Option.isSome(methods.missingSetting(provider.value))) return null
      const link = create({ clientId: client_id, connectionId: id, providers: [providerId] })
      return (yield* Effect.orDie(link)).url
    }, Effect.provideService(CurrentActor, systemActor)),

    comeBack: Effect.fnUntraced(function*(signIn) {
      const { browser, token } = signIn
      const held = yield* visits.comeBack(signIn)
      return Result.isSuccess(held)
        ? seeOther(responses.contextOf(token, null).path)
        : yield* responses.refused(signIn, held.failure, yield* visits.open(token, browser))
    }, (response, { opener, token }) =>
      Effect.catchCause(
        response,
        Effect.fnUntraced(function*(cause) {
          if (!acceptsHtml(yield* HttpServerRequest.HttpServerRequest)) return yield* Effect.failCause(cause)
          const error = yield* toApiError(cause)
          return linkFailurePage(responses.contextOf(token, opener), error, yield* CurrentCallId)
        })
      ))
  }
  return served
})

export const ServeLinks = Layer.effectDiscard(
  Effect.gen(function*() {
    yield* (yield* OpenLinks).serve(yield* makeServedLinks)
  })
)
