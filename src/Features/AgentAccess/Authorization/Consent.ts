import { Effect, Option, Result } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Auth } from "../../../Auth/Auth.ts"
import { ClientRepo } from "../../../Auth/ClientRepo.ts"
import { MemberRepo } from "../../../Auth/MemberRepo.ts"
import { ConnectionRepo } from "../../../Connections/ConnectionRepo.ts"
import type { SessionPrincipal } from "../../../Domain/Access/Principal.ts"
import type { Connection } from "../../../Domain/Connection.ts"
import { Served } from "../../../Http/Served.ts"
import { readBody } from "../../../Http/Server/RequestBody.ts"
import { sessionCookie } from "../../../Http/SessionCookie.ts"
import { operatorBranding } from "../../../Pages/OperatorBranding.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { productNamed } from "../../../Providers/Provider.ts"
import { type Choices, decisionOf, parseSubmitted } from "../Consent/ConsentForm.ts"
import { refusalPages } from "../Consent/RefusalPages.ts"
import { Grants } from "../Grants.ts"
import { type Agent, makeAgents } from "./Agents.ts"
import { paths } from "./AuthorizationGroup.ts"
import { authorizationUrls } from "./AuthorizationUrls.ts"
import { type ConnectionGroup, consentPage } from "./ConsentPage.ts"
import { type ConsentRequest, makeConsentRequests } from "./ConsentRequests.ts"
import { cookieNames } from "./Library/LibraryConfiguration.ts"
import { makeReachableResources } from "./ReachableResources.ts"

const maxFormBytes = 256 * 1024

export const makeConsent = Effect.gen(function*() {
  const grants = yield* Grants
  const members = yield* MemberRepo
  const connections = yield* ConnectionRepo
  const { providers } = yield* Catalog
  const agents = yield* makeAgents
  const requests = yield* makeConsentRequests
  const reachableOf = yield* makeReachableResources
  const urls = yield* authorizationUrls
  const session = yield* makeMemberSession
  const clients = yield* ClientRepo
  const { frame } = yield* operatorBranding
  const { requestEndedPage, signInPage } = yield* refusalPages
  const { features } = yield* Served

  const isOfThisBrowser = (request: HttpServerRequest.HttpServerRequest, id: string): boolean =>
    request.cookies[cookieNames(urls).interaction] === id

  const visible = Effect.fnUntraced(function*({ clientIds }: SessionPrincipal) {
    const listed = yield* connections.list(clientIds, {})
    return listed.filter(({ status }) => status !== "revoked")
  })

  const groupsOf = Effect.fnUntraced(function*(listed: ReadonlyArray<Connection>) {
    const named = yield* clients.findAll(listed.flatMap(({ client_id }) => client_id ?? []))
    const group = (client: string | undefined, id: string | null): ConnectionGroup => ({
      client,
      connections: listed.filter(({ client_id }) => client_id === id).map((connection) => ({
        id: connection.id,
        label: connection.label,
        provider: productNamed(providers, connection.provider),
        account: connection.external_account,
        isActive: connection.status === "active"
      }))
    })
    return [...named.map(({ id, name }) => group(name, id)), group(undefined, null)]
      .filter(({ connections }) => connections.length > 0)
  })

  const show = Effect.fnUntraced(function*(
    request: ConsentRequest,
    agent: Agent,
    member: SessionPrincipal,
    { choices, mistake, ticksResources = false }: {
      readonly choices?: (listed: ReadonlyArray<Connection>) => Choices
      readonly mistake?: string
      readonly ticksResources?: boolean
    }
  ) {
    const listed = yield* visible(member)
    const chosen = (choices ?? firstChoices)(listed)
    const { connectionIds, reach, which } = chosen
    const reachable = reach === "all"
      ? undefined
      : yield* reachableOf(member, which === "all" ? listed : listed.filter(({ id }) => connectionIds.has(id)))
    const resources = ticksResources
      ? new Set(reachable?.flatMap(({ resources = [] }) => resources.map(({ resource }) => resource)))
      : chosen.resources
    const found = yield* members.find(member.memberId)
    return consentPage({
      above: frame.above,
      action: `${urls.prefix}${paths.consent}/${request.id}`,
      agent,
      redirectUri: request.redirectUri,
      asksToWrite: request.asksToWrite,
      mayAskFirst: features["approvals"] === true,
      mayUndo: features["undo"] === true,
      member: { id: member.memberId, email: Option.isSome(found) ? found.value.email : "" },
      groups: yield* groupsOf(listed),
      earlierGrants: yield* grants.ofAgent(member.memberId, agent),
      choices: { ...chosen, resources },
      reachable,
      mistake
    })
  })

  const goOn = ({ id }: ConsentRequest) =>
    HttpServerResponse.redirect(`${urls.prefix}${paths.authorize}/${id}`, {
      status: 303,
      headers: { "cache-control": "no-store" }
    })

  const submit = Effect.fnUntraced(function*(request: ConsentRequest, agent: Agent, member: SessionPrincipal) {
    const body = yield* readBody(yield* HttpServerRequest.HttpServerRequest, maxFormBytes)
    const submitted = Option.getOrUndefined(parseSubmitted(new TextDecoder().decode(body)))
    if (submitted === undefined) return yield* show(request, agent, member, {})
    if (submitted.memberId !== member.memberId) {
      return yield* show(request, agent, member, { mistake: "You are signed in as another member now. Choose again." })
    }
    const { button, choices } = submitted
    if (button === "tick_all" || button === "untick_all") {
      const ticked = (listed: ReadonlyArray<Connection>) => button === "tick_all" ? listed.map(({ id }) => id) : []
      return yield* show(request, agent, member, {
        choices: (listed) => ({ ...choices, which: "chosen", connectionIds: new Set(ticked(listed)) })
      })
    }
    if (button === "list") return yield* show(request, agent, member, { choices: () => choices, ticksResources: true })
    const decision = decisionOf(submitted)
    const again = (mistake: string) => show(request, agent, member, { choices: () => choices, mistake })
    if (Result.isFailure(decision)) return yield* again(decision.failure)
    return yield* requests.decide(request, agent, decision.success, member).pipe(
      Effect.as(goOn(request)),
      Effect.catchTags({
        InvalidInput: () => again("Something that you ticked is not known here. List it again."),
        ConnectionNotFound: () => again("A connection that you ticked is gone. Look at the list again."),
        MemberNotFound: () => Effect.succeed(requestEndedPage)
      })
    )
  })

  return Effect.fn("Consent")(function*(id: string) {
    const httpRequest = yield* HttpServerRequest.HttpServerRequest
    const found = isOfThisBrowser(httpRequest, id) ? yield* requests.find(id) : Option.none()
    if (Option.isNone(found)) return requestEndedPage
    const request = found.value
    const member = yield* session(httpRequest)
    if (member === undefined) return signInPage(urls.dashboard, `${urls.prefix}${paths.consent}/${id}`)
    if (request.isDecided) return goOn(request)
    const agent = yield* agents.find(request.clientId)
    return yield* httpRequest.method === "POST" ? submit(request, agent, member) : show(request, agent, member, {})
  })
})

export const makeMemberSession = Effect.gen(function*() {
  const auth = yield* Auth
  const { credentialOf } = yield* sessionCookie
  return (request: HttpServerRequest.HttpServerRequest) => {
    const credential = credentialOf(request)
    if (credential?.type !== "cookie") return Effect.succeed(undefined)
    return auth.authenticate(credential).pipe(
      Effect.map((principal) => principal.via === "session" ? principal : undefined),
      Effect.catchTag("Unauthenticated", () => Effect.succeed(undefined))
    )
  }
})

const firstChoices = (listed: ReadonlyArray<Connection>): Choices => ({
  access: "read_only",
  writes: "ask",
  which: listed.length === 0 ? "all" : "chosen",
  connectionIds: new Set(listed.filter(({ status }) => status === "active").map(({ id }) => id)),
  reach: "all",
  resources: new Set(),
  endedGrantIds: new Set()
})
