import { Context, Deferred, Effect, Layer, Option } from "effect"
import { ClientRepo } from "../../../Auth/ClientRepo.ts"
import { ConnectionRepo } from "../../../Connections/ConnectionRepo.ts"
import { credentialsIdOf } from "../../../Connections/Credentials.ts"
import type { StoredConnection } from "../../../Domain/Connection.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { productNamed } from "../../../Providers/Provider.ts"
import { operator, ownDashboardUrl } from "../../../Settings.ts"
import { type Account, type EventText, eventText } from "./EventText.ts"
import { makeNotice, type Notice } from "./Notice.ts"
import { connectionIdOf, eventOf } from "./StoredMessage.ts"

/** The body of the event that a test sends. */
export const sampleBody = JSON.stringify({ type: "test", data: null })

type NoticeOf = (body: string) => Effect.Effect<Notice>

/** Writes the notices of events. Formats are built before the services that notices need, so it waits for `serve`. */
export class Notices extends Context.Service<Notices, {
  /** `body` is that of an event. */
  readonly of: NoticeOf
  readonly serve: (noticeOf: NoticeOf) => Effect.Effect<void>
}>()("openaccounts/Features/Alerts/Notices/Notices") {
  static readonly layer = Layer.effect(
    Notices,
    Effect.gen(function*() {
      const served = yield* Deferred.make<NoticeOf>()
      return Notices.of({
        of: (body) => Effect.flatMap(Deferred.await(served), (noticeOf) => noticeOf(body)),
        serve: (noticeOf) => Effect.asVoid(Deferred.succeed(served, noticeOf))
      })
    })
  )
}

const makeNoticeOf = Effect.gen(function*() {
  const catalog = yield* Catalog
  const clients = yield* ClientRepo
  const connections = yield* ConnectionRepo
  const dashboard = `${yield* ownDashboardUrl}/dashboard`
  const { name: appName } = yield* operator

  const accountOf = (connection: StoredConnection) => ({
    name: connection.external_account ?? connection.label,
    product: productNamed(catalog.providers, connection.provider),
    connectionId: connection.id,
    reconnectId: credentialsIdOf(connection)
  })

  const of = (
    { action, link, subject, title, what }: EventText,
    account?: Account,
    client?: string,
    thread?: string
  ): Notice =>
    makeNotice({
      title,
      facts: [
        ...client === undefined ? [] : [{ name: "Client", value: client }],
        ...account === undefined ? [] : [{ name: "Account", value: `${account.name} (${account.product})` }],
        ...subject === undefined ? [] : [subject],
        { name: "What happened", value: what },
        { name: "What to do", value: action }
      ],
      link: { text: link.text, url: `${dashboard}${link.path}` },
      ...thread === undefined ? {} : { thread }
    })

  const sample = of(
    {
      title: `A sample from ${appName}`,
      what: "This is how news of your accounts will look here.",
      action: "Nothing: it has arrived.",
      link: { text: "Open the dashboard", path: "/" }
    },
    { name: "ada@example.com", product: "an example", connectionId: "", reconnectId: "" },
    "An example"
  )

  /** The notice of an event whose type or form this version does not know. */
  const unknown = (type: string) =>
    of({
      title: `News: ${type}`,
      what: "An event that this version has no words for.",
      action: "Look at it in the dashboard.",
      link: { text: "Open the dashboard", path: "/" }
    })

  return Effect.fnUntraced(function*(body: string) {
    const { event, type } = eventOf(body)
    if (event === undefined) return type === "test" ? sample : unknown(type)
    const connectionId = connectionIdOf(event)
    const connection = connectionId === undefined
      ? undefined
      : Option.getOrUndefined(yield* connections.find(connectionId))
    const account = connection && accountOf(connection)
    const client = connection?.client_id && Option.getOrUndefined(yield* clients.find(connection.client_id))
    const text = eventText(event, account)
    return text === undefined ? unknown(event.type) : of(text, account, client ? client.name : undefined, connectionId)
  })
})

export const ServeNotices = Layer.effectDiscard(
  Effect.gen(function*() {
    yield* (yield* Notices).serve(yield* makeNoticeOf)
  })
)
