import { Effect } from "effect"
import { accessColumn, resource, resourceCommands } from "../../Cli/Commands/Resource.ts"
import { choiceFlag, expiresFlag, optionalFlag, readExpiry, repeatableFlag, secondsUntil } from "../../Cli/Flags.ts"
import { formatTime } from "../../Cli/Lists.ts"
import { type ConnectLink, NewConnectLink } from "../../Domain/ConnectLink.ts"

const links = resource<ConnectLink>({
  one: "link",
  many: "connect links",
  columns: [
    { head: "id", value: ({ id }) => id },
    { head: "client", value: ({ client_id }) => client_id ?? "none" },
    { head: "reconnects", value: ({ connection_id }) => connection_id ?? "" },
    { head: "providers", value: ({ providers }) => providers.join(" ") },
    accessColumn,
    { head: "connected", value: ({ connected }) => connected.map(({ connection_id }) => connection_id).join("\n") },
    { head: "expires", value: ({ expires_at }) => formatTime(expires_at) },
    {
      head: "status",
      value: ({ status }) => status,
      tone: ({ status }) => status === "open" ? "good" : undefined
    }
  ]
})

const create = links.create({
  description: "Create a link to a page where the account's owner connects accounts",
  examples: [
    { command: "oa connect-link create --client cli_… --provider gsc --provider ga4" },
    { command: "oa connect-link create --connection con_…", description: "Let the owner renew an expired connection" }
  ],
  flags: {
    client: optionalFlag("client", "Client that owns the accounts", "<client id>"),
    connection: optionalFlag("connection", "Connection to reconnect, instead of --client", "<connection id>"),
    providers: repeatableFlag(
      "provider",
      "Provider to connect; repeatable; by default all that the service is set up for"
    ),
    access: choiceFlag(
      "access",
      ["read_only", "read_write"],
      "Ask for reading, or also for writing; by default read_only"
    ),
    label: optionalFlag("label", "Display name of new connections"),
    redirect: optionalFlag(
      "redirect",
      "URL to which the person returns; its origin must be in CONNECT_REDIRECT_ORIGINS",
      "<url>"
    ),
    expires: expiresFlag("When the link ends, in 5 minutes to 30 days and by default in 7 days")
  },
  schema: NewConnectLink,
  fields: Effect.fnUntraced(function*({ access, client, connection, expires, label, providers, redirect }) {
    const expiry = yield* readExpiry(expires)
    return {
      client_id: client,
      connection_id: connection,
      providers,
      access,
      label,
      redirect_url: redirect,
      expires_in: expiry && (yield* secondsUntil(expiry))
    }
  }),
  send: (api, request) => api.connectLinks.create(request),
  secret: ({ url }) => [url, "The URL is shown only once. Anyone who has it can connect an account."]
})

const list = links.list({
  fetch: (api, request) => api.connectLinks.list(request),
  rows: (page) => page.connect_links,
  emptyMessage: "No connect links; `oa connect-link create` creates one."
})

const end = links.act("end", "End a link; its connections stay", (api, request) => api.connectLinks.end(request))

export const connectLink = resourceCommands(
  "connect-link",
  "Connect links: pages where owners of accounts connect them",
  [create, list, end]
)
