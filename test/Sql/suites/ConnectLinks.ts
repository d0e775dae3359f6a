import { assert, describe } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { newId } from "../../../src/Domain/NewId.ts"
import { CurrentActor, memberActor } from "../../../src/Domain/Request/Actor.ts"
import { ConnectLinks, type NewLink } from "../../../src/Features/ConnectLinks/ConnectLinks.ts"
import {
  type Confirmation,
  type NewPending,
  PendingConnections,
  pendingLifetime
} from "../../../src/Features/ConnectLinks/Visits/PendingConnections.ts"
import { Clients } from "../../../src/Management/Clients.ts"
import { Members } from "../../../src/Management/Members.ts"
import { eventually } from "../../support/Eventually.ts"
import { at } from "../At.ts"
import type { StorageTests } from "../StorageFixture.ts"

const credentials = Redacted.make(JSON.stringify({ refresh_token: "1//linked" }))

const makeLink = Effect.fnUntraced(function*(more: Partial<NewLink> = {}) {
  const links = yield* ConnectLinks
  const client = yield* (yield* Clients).create(`Fernhill ${yield* newId("cli")}`)
  const link = yield* links.create({ clientId: client.id, connectionId: null, providers: ["gsc", "ga4"], ...more })
  return { links, client, link, token: Redacted.make(new URL(link.url).pathname.slice("/connect/".length)) }
})

const newBrowser = Effect.map(newId("browser"), (text) => Redacted.make(text))

const hold = Effect.fnUntraced(function*(more: Pick<NewPending, "linkId" | "browser"> & Partial<NewPending>) {
  const pendings = yield* PendingConnections
  const pending: NewPending = {
    providers: ["gsc"],
    authType: "oauth",
    credentials,
    externalAccount: "jane@example.com",
    scopes: ["read"],
    resources: null,
    opener: null,
    ...more
  }
  yield* pendings.hold(pending)
  return { pendings, held: yield* Effect.fromOption(yield* pendings.find(pending)) }
})

const describeNew: Confirmation["describe"] = (_, { scopes }, provider) => ({ label: `Fernhill ${provider}`, scopes })

export const storedConnectLinks: StorageTests = (it) => {
  describe("connect links", () => {
    it.effect("end with the rights of the member who made them", () =>
      Effect.gen(function*() {
        const members = yield* Members
        const { client, links } = yield* makeLink()
        const { id } = yield* members.create({ email: `${yield* newId("mem")}@example.com`, client_ids: [client.id] })
        const { token } = yield* makeLink({ clientId: client.id }).pipe(
          Effect.provideService(CurrentActor, memberActor(id))
        )
        assert.strictEqual((yield* links.open(token)).status, "open")
        yield* members.change(id, { client_ids: [] })
        assert.strictEqual((yield* Effect.flip(links.open(token))).code, "link_over")
      }))

    it.effect("hold credentials for half an hour, one of a provider for each browser", () =>
      Effect.gen(function*() {
        const { link, token } = yield* makeLink()
        const browser = yield* newBrowser
        const first = yield* hold({ linkId: link.id, browser })
        const { held, pendings } = yield* hold({ linkId: link.id, browser, externalAccount: "joe@example.com" })
        const confirm = (id: string) => Effect.flip(pendings.confirm({ id, token, browser, describe: describeNew }))
        assert.strictEqual((yield* confirm(first.held.id))._tag, "ConnectRefused")
        yield* TestClock.adjust(Duration.sum(pendingLifetime, Duration.seconds(1)))
        assert.isTrue((yield* pendings.find({ linkId: link.id, browser }))._tag === "None")
        assert.strictEqual((yield* confirm(held.id))._tag, "ConnectRefused")
      }))

    it.effect("delete credentials that nobody confirms", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { link } = yield* makeLink()
        yield* hold({ linkId: link.id, browser: yield* newBrowser })
        const later = (yield* Clock.currentTimeMillis) + Duration.toMillis(pendingLifetime) + 1000
        yield* Layer.build(Layer.fresh(PendingConnections.layer)).pipe(at(later))
        yield* TestClock.withLive(eventually(
          sql`SELECT 1 FROM pending_connections WHERE link_id = ${link.id}`,
          ({ length }) => length === 0
        ))
      }))
  })
}
