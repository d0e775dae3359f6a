import { Duration, Effect } from "effect"
import { ClientRepo } from "../../../Auth/ClientRepo.ts"
import { CallLog } from "../../../Calls/Log/CallLog.ts"
import { ConnectionRepo } from "../../../Connections/ConnectionRepo.ts"
import type { Client } from "../../../Domain/Client.ts"
import type { StoredConnection } from "../../../Domain/Connection.ts"
import type { ClientId } from "../../../Domain/Ids.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { productNamed } from "../../../Providers/Provider.ts"
import { counted, plain } from "../Notices/Plain.ts"

const week = Duration.toMillis(Duration.weeks(1))

const aMonday = Date.UTC(2024, 0, 1, 6)

/** The latest Monday, 06:00 UTC, in epoch milliseconds: when digests of the week before are made. */
export const weekOf = (millis: number): number => aMonday + Math.floor((millis - aMonday) / week) * week

/** Clients and accounts that a digest names. It says how many more there are. */
const maxClients = 100
const maxAccounts = 5

const maxName = 80

export interface DigestText {
  readonly title: string
  readonly clients: ReadonlyArray<{ readonly name: string; readonly lines: ReadonlyArray<string> }>
  /** Clients that it does not name. */
  readonly more: string | undefined
}

const needs = ({ health, status }: StoredConnection): string | undefined => {
  if (status === "revoked" || health.state === "ok") return undefined
  return health.state === "broken" ? "access has ended" : "at risk"
}

const andMore = (names: ReadonlyArray<string>, max: number): string =>
  names.slice(0, max).join("; ") + (names.length > max ? `; and ${names.length - max} more` : "")

const countWords = (count: number, word: string) => count === 0 ? [] : [`${count.toLocaleString("en")} ${word}`]

export const makeDigest = Effect.gen(function*() {
  const calls = yield* CallLog
  const catalog = yield* Catalog
  const clients = yield* ClientRepo
  const connections = yield* ConnectionRepo

  const allClients = Effect.fnUntraced(function*(within: ReadonlyArray<ClientId> | null) {
    const found: Array<Client> = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const after: string | undefined = cursor
      const page = yield* clients.list(within, { limit: 200, ...after === undefined ? {} : { cursor: after } })
      for (const client of page.items) found.push(client)
      cursor = page.cursor
    }
    return found.toSorted((one, other) => one.name.localeCompare(other.name, "en"))
  })

  const figures = Effect.fnUntraced(function*({ id }: Client, until: number) {
    const viewer = { memberId: null, clientIds: [id], connectionIds: null }
    const period = { since: new Date(until - week), until: new Date(until), bucket: "day" } as const
    const { buckets } = yield* Effect.orDie(calls.stats(viewer, period))
    const sum = (field: "calls" | "errors" | "refused") => buckets.reduce((all, bucket) => all + bucket[field], 0)
    return [
      counted(sum("calls"), "call", "calls"),
      ...countWords(sum("errors") - sum("refused"), "failed"),
      ...countWords(sum("refused"), "refused")
    ].join(", ")
  })

  const nameOf = ({ external_account, label, provider }: StoredConnection) =>
    `${plain(external_account ?? label, maxName)} (${productNamed(catalog.providers, provider)})`

  const partOf = Effect.fnUntraced(function*(client: Client, until: number) {
    const needing = (yield* connections.list([client.id], {})).flatMap((connection) => {
      const need = needs(connection)
      return need === undefined ? [] : [`${nameOf(connection)}, ${need}`]
    })
    return {
      needing: needing.length,
      name: plain(client.name, maxName),
      lines: [
        yield* figures(client, until),
        ...needing.length === 0 ? [] : [`Needs you: ${andMore(needing, maxAccounts)}`]
      ]
    }
  })

  /** The digest of the week that ended on `until`. `None` without a client. `within` are those that the member sees. */
  return Effect.fn("Alerts.digest")(function*(
    chosen: ReadonlyArray<ClientId> | null,
    within: ReadonlyArray<ClientId> | null,
    until: number
  ) {
    const seen = yield* allClients(within)
    const wanted = chosen === null ? seen : seen.filter(({ id }) => chosen.includes(id))
    if (wanted.length === 0) return undefined
    const parts = yield* Effect.forEach(wanted.slice(0, maxClients), (client) => partOf(client, until))
    const needing = parts.reduce((all, part) => all + part.needing, 0)
    const more = wanted.length - parts.length
    const digest: DigestText = {
      title: `Your week: ${counted(wanted.length, "client", "clients")}, ${
        needing === 0 ? "all accounts well" : `${counted(needing, "account needs", "accounts need")} you`
      }`,
      clients: parts,
      more: more > 0 ? `And ${counted(more, "client", "clients")} more.` : undefined
    }
    return digest
  })
})
