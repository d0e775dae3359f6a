import { Effect, Option, Schema } from "effect"
import { Forbidden, InvalidInput, type ProviderNotFound, type RateLimited } from "../../Api/Errors.ts"
import type { ClientNotFound } from "../../Api/ManagementErrors.ts"
import { agentTool } from "../../Calls/AgentTools/AgentTools.ts"
import { decodeArguments } from "../../Calls/AgentTools/ToolArguments.ts"
import { ConnectMethods } from "../../Connections/Connect/ConnectMethods.ts"
import { holderOf, mayMakeLinks, type Principal } from "../../Domain/Access/Principal.ts"
import type { Client } from "../../Domain/Client.ts"
import { append } from "../../Domain/Lists.ts"
import { CurrentActor, keyActor, memberActor } from "../../Domain/Request/Actor.ts"
import { CurrentScope } from "../../Domain/Request/ManagementScope.ts"
import { nameFirst, nameNearest } from "../../Domain/Text/Nearest.ts"
import { Lookup, Name } from "../../Domain/Validation/Fields.ts"
import { Clients } from "../../Management/Clients.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { ManagedConnectLinks } from "./ManagedConnectLinks.ts"

const decode = decodeArguments(Schema.Struct({
  provider: Schema.String,
  label: Schema.optionalKey(Name),
  client_id: Schema.optionalKey(Lookup)
}))

const maxClients = 1000

type Failure = InvalidInput | ProviderNotFound | ClientNotFound | Forbidden | RateLimited

/** The tool makes a connect link that the caller's member could make itself. */
export const requestConnectionTool = agentTool(Effect.gen(function*() {
  const catalog = yield* Catalog
  const clients = yield* Clients
  const links = yield* ManagedConnectLinks
  const methods = yield* ConnectMethods

  /** The providers for which the caller can request a connection. */
  const connectable = (principal: Principal, unconnected: ReadonlyArray<Provider>): ReadonlyArray<string> =>
    mayMakeLinks(principal)
      ? unconnected.filter((provider) => Option.isNone(methods.missingSetting(provider))).map(({ id }) => id)
      : []

  const listClients = Effect.fnUntraced(function*() {
    let page = yield* clients.list({ limit: 200 })
    const found = [...page.items]
    while (page.cursor !== null && found.length < maxClients) {
      page = yield* clients.list({ limit: 200, cursor: page.cursor })
      append(found, page.items)
    }
    return found
  })

  /** Agents pass the name that their user says. */
  const chooseClient = Effect.fnUntraced(function*(given: string | undefined): Effect.fn.Return<string, InvalidInput> {
    if (given?.startsWith("cli_")) return given
    const all = yield* listClients()
    const [client, ...others] = given === undefined ? all : all.filter(({ name }) => isSameName(name, given))
    if (client !== undefined && others.length === 0) return client.id
    const message = all.length === 0
      ? "There is no client yet: ask an admin of the service to create one"
      : given === undefined
      ? `Required with several clients, an id or a name: ${nameFirst(all.map(describe))}`
      : client === undefined
      ? `There is no client ${JSON.stringify(given)}. The nearest are ${
        nameNearest(given, all, ({ name }) => name, describe)
      }`
      : `Several clients have this name: ${nameFirst([client, ...others].map(describe))}`
    return yield* InvalidInput.at("client_id", message)
  })

  const request = Effect.fnUntraced(function*(
    principal: Principal,
    args: unknown,
    unconnected: ReadonlyArray<Provider>
  ): Effect.fn.Return<object, Failure> {
    if (!mayMakeLinks(principal)) return yield* new Forbidden({ message: refusal })
    const { client_id, label, provider } = yield* decode(args)
    const { id } = yield* catalog.provider(provider)
    if (unconnected.every((each) => each.id !== id)) {
      const open = connectable(principal, unconnected)
      const others = open.length === 0 ? "" : ` Without a connection: ${open.join(", ")}`
      return yield* InvalidInput.at("provider", `"${provider}" is connected: see list_connections.${others}`)
    }
    const link = yield* Effect.catchTag(
      links.create({
        providers: [provider],
        access: "read_only",
        client_id: yield* chooseClient(client_id),
        ...label === undefined ? {} : { label }
      }),
      // Only a link that reconnects a connection fails with these.
      ["ConnectionNotFound", "ConnectionDerived"],
      Effect.die
    )
    const { url } = link
    const granted = principal.connectionIds === null
      ? ""
      : " Then its member must add the connection to this agent, under Agents in the dashboard."
    return {
      url,
      provider,
      client_id: link.client_id,
      access: link.access,
      expires_at: link.expires_at.toISOString(),
      next: `Give the link to the owner of the account.${granted} list_connections shows when it is connected.`
    }
  })

  return {
    name: "request_connection",
    place: 20,
    describe: ({ principal, unconnected }) => {
      const open = connectable(principal, unconnected)
      return open.length === 0 ? undefined : {
        title: "Request a connection",
        description: "Makes a link with which an account's owner connects a provider without an active connection, " +
          "for reading. Give it to that person.",
        properties: {
          provider: { type: "string", enum: open },
          label: { type: "string" },
          client_id: { type: "string", description: "Id or name of its client, if several." }
        },
        required: ["provider"],
        writes: true,
        openWorld: false
      }
    },
    run: Effect.fnUntraced(function*(args, { principal, unconnected }) {
      const { clientIds, memberId, resources } = principal
      const id = holderOf(principal)
      const requested = yield* request(principal, args, yield* unconnected).pipe(
        Effect.provideService(CurrentScope, {
          memberId,
          clientIds,
          ...id === null ? {} : { holder: { id, resources } }
        }),
        Effect.provideService(
          CurrentActor,
          principal.via === "key" ? keyActor(memberId, principal.keyId) : memberActor(memberId)
        )
      )
      return { json: JSON.stringify(requested), askForLess: "" }
    })
  }
}))

const describe = ({ id, name }: Client) => `${id} (${name})`

const isSameName = (name: string, given: string) => name.trim().toLowerCase() === given.trim().toLowerCase()

const refusal = "This key may not make connect links. Ask its member to add \"connect_links\" to its `manage`, or to " +
  "connect the account."
