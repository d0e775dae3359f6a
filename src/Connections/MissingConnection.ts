import { Effect, Option } from "effect"
import { ConnectionInactive, ConnectionNotFound } from "../Api/Errors.ts"
import { grantedOf, mayMakeLinks, type Principal, seesConnection } from "../Domain/Access/Principal.ts"
import type { Connection, StoredConnection } from "../Domain/Connection.ts"
import { maxNamed, nearest } from "../Domain/Text/Nearest.ts"
import type { Provider } from "../Providers/Provider.ts"
import { ownDashboardUrl } from "../Settings.ts"
import { CachedConnections } from "./CachedConnections.ts"
import { ConnectionRepo } from "./ConnectionRepo.ts"

/** Errors about a missing connection. They say what the caller sees, and where its member connects or reconnects it. */
export const makeMissingConnection = Effect.gen(function*() {
  const cachedConnections = yield* CachedConnections
  const connections = yield* ConnectionRepo
  const pages = `${yield* ownDashboardUrl}/dashboard/connections`

  /** Callers also pass labels, so the nearest labels help. For an id, all connections are equally near. */
  const activeOf = Effect.fnUntraced(function* activeOf(principal: Principal, { id }: Provider, wanted = "con_") {
    const found = grantedOf(principal, yield* cachedConnections.active(principal.clientIds, id))
    const nearby = wanted.startsWith("con_") ? found : nearest(wanted, found, ({ label }) => label, maxNamed)
    const active = nearby.slice(0, maxNamed).map(({ id, label }) => ({ id, label }))
    const more = found.length - active.length
    return active.length === 0 ? undefined : { active, ...more === 0 ? {} : { more } }
  })

  const connectUrl = ({ clientIds }: Principal, { id }: Provider): string | undefined => {
    if (clientIds === null) return `${pages}/connect?provider=${id}`
    const [clientId, ...others] = clientIds
    if (clientId === undefined) return undefined
    return `${pages}/connect?provider=${id}${others.length === 0 ? `&client=${clientId}` : ""}`
  }

  /** For a derived connection, the page of its parent. Absent if it is revoked or the caller does not see the parent. */
  const reconnectUrl = Effect.fnUntraced(function*(principal: Principal, { id, parent_id, status }: StoredConnection) {
    if (parent_id === null) return `${pages}/${id}/reconnect`
    const parent = status === "revoked" ? Option.none() : yield* cachedConnections.find(parent_id)
    return Option.isSome(parent) && seesConnection(principal, parent_id, parent.value.client_id)
      ? `${pages}/${parent_id}/reconnect`
      : undefined
  })

  /** A missing connection can be replaced by an active one, or connected. */
  const notFound = Effect.fnUntraced(
    function*(principal: Principal, provider: Provider, { problem, reason, wanted }: Problem) {
      const active = yield* activeOf(principal, provider, wanted)
      const url = connectUrl(principal, provider)
      const details = { provider: provider.id, ...url === undefined ? {} : { connect_url: url } }
      if (active !== undefined) {
        return new ConnectionNotFound({
          message: `${problem} ${useActive(active)}`,
          agentMessage: `${problem} ${useActive(active, "list_connections")}`,
          details: { ...details, ...active, reason }
        })
      }
      const where = whereToConnect(principal, provider, url)
      return new ConnectionNotFound({
        message: `${problem} ${where}`,
        ...mayMakeLinks(principal) ? { agentMessage: `${problem} ${makesLink} ${where}` } : {},
        details: { ...details, reason }
      })
    }
  )

  return {
    /** The caller sees no active connection of the provider. */
    noneActive: Effect.fnUntraced(function* noneActive(principal: Principal, provider: Provider) {
      const found = yield* connections.list(principal.clientIds, { provider: provider.id, status: "expired" })
      const [expired, ...others] = grantedOf(principal, found)
      if (expired === undefined) {
        const problem = principal.clientIds?.length === 0
          ? `The member sees no client, and so no connection of ${provider.name}.`
          : `No account of ${provider.name} is connected.`
        return yield* notFound(principal, provider, { problem, reason: "not_connected" })
      }
      const url = others.length === 0
        ? yield* reconnectUrl(principal, expired)
        : `${pages}?provider=${provider.id}&status=expired`
      return new ConnectionNotFound({
        message: `No connection of ${provider.name} is active: ${nameOf(expired)}` +
          `${others.length === 0 ? "" : ` and ${others.length} more`} expired. ${
            url === undefined ? asksAdmin : reconnects(url)
          }`,
        details: { provider: provider.id, ...url === undefined ? {} : { connect_url: url }, reason: "expired" }
      })
    }),

    /** No connection has the id, or the caller does not see it. Both get the same error. */
    unknown: (principal: Principal, provider: Provider, wanted: string) =>
      notFound(principal, provider, { problem: "There is no such connection.", reason: "unknown_connection", wanted }),

    ofOtherProvider: (principal: Principal, provider: Provider, connection: Connection) =>
      notFound(principal, provider, {
        problem: `${nameOf(connection)} is a connection of ${connection.provider}, not of ${provider.id}.`,
        reason: "other_provider"
      }),

    inactive: Effect.fnUntraced(
      function* inactive(principal: Principal, provider: Provider, connection: StoredConnection) {
        const { status } = connection
        const active = yield* activeOf(principal, provider, connection.label)
        const url = yield* reconnectUrl(principal, connection)
        return new ConnectionInactive({
          message:
            `${nameOf(connection)} is ${status}. ${active === undefined ? "" : `${useActive(active)} Otherwise: `}` +
            (url === undefined ? asksAdmin : reconnects(url)),
          details: {
            provider: provider.id,
            ...url === undefined ? {} : { connect_url: url },
            ...active,
            reason: inactiveReason(connection)
          }
        })
      }
    )
  }
})

export const inactiveReason = ({ status }: Connection) => status === "revoked" ? "revoked" : "expired"

interface Problem {
  readonly problem: string
  readonly reason: "not_connected" | "unknown_connection" | "other_provider"
  /** The id or label that the caller named. */
  readonly wanted?: string
}

const useActive = ({ more }: { readonly more?: number }, list = "GET /v1/connections"): string =>
  "Pass one of `details.active` as `connection_id`." +
  (more === undefined ? "" : ` There ${more === 1 ? "is 1 more" : `are ${more} more`}: see ${list}.`)

const makesLink = "The tool request_connection, if it is listed, makes a link for the account's owner."

const reconnects = (url: string): string => `A person opens ${url} and reconnects it.`

const asksAdmin = "Ask an admin of the service to connect the account."

const nameOf = ({ label }: Connection): string => `The connection "${label}"`

const whereToConnect = ({ connectionIds, via }: Principal, { name }: Provider, url: string | undefined): string => {
  if (url === undefined) return "Ask an admin of the service to give the member a client."
  const connects = `A person opens ${url} and connects an account of ${name}`
  return via === "grant" && connectionIds !== null
    ? `${connects}, then adds it to this agent under Agents in the dashboard.`
    : `${connects}.`
}
