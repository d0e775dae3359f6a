import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { type ApiKey, KeyChange, NewApiKey } from "../../Domain/Access/ApiKey.ts"
import { usageError } from "../Failure.ts"
import { expiresFlag, optionalFlag, readExpiry, switchFlag, unlessEmpty, valueOr } from "../Flags.ts"
import { formatTime } from "../Lists.ts"
import { accessColumn, resource, resourceCommands } from "./Resource.ts"
import { limitsText, rightsFlagNames, rightsFlags, rightsOf, unlimitedFlags } from "./RightsFlags.ts"

const isPast = (at: Date | null): boolean => at !== null && at.getTime() <= Date.now()

const keys = resource<ApiKey>({
  one: "key",
  many: "API keys",
  columns: [
    { head: "id", value: ({ id }) => id },
    { head: "name", value: ({ name }) => name },
    { head: "member", value: ({ client_id, member_id }) => client_id === null ? member_id : `for ${client_id}` },
    accessColumn,
    { head: "limits", value: limitsText },
    { head: "secret", value: ({ hint }) => `oa_…${hint}` },
    { head: "manages", value: ({ manage }) => manage.join("\n") },
    { head: "expires", value: ({ expires_at }) => expires_at === null ? "" : formatTime(expires_at) },
    { head: "last used", value: ({ last_used_at }) => formatTime(last_used_at) },
    {
      head: "status",
      value: ({ expires_at, revoked_at }) => {
        if (revoked_at !== null) return `revoked ${formatTime(revoked_at)}`
        return isPast(expires_at) ? "expired" : "active"
      },
      tone: ({ expires_at, revoked_at }) => revoked_at === null && !isPast(expires_at) ? "good" : "bad"
    }
  ]
})

const expires = expiresFlag("When the key expires")

const manage = Flag.Literals("manage", ["connections", "connect_links", "webhooks"]).pipe(
  Flag.withDescription("Part of the management API that the key may use, within its member's clients; repeatable"),
  Flag.atLeast(0),
  Flag.map(unlessEmpty)
)

const create = keys.create({
  description: "Create an API key and show its secret once; read-only by default",
  examples: [
    { command: "oa key create reports --member mem_…" },
    { command: "oa key create reports --client cli_…", description: "For a client, without a person behind it" },
    {
      command: "oa key create sync --member mem_… --access read_write --json | jq -r .key > key.txt",
      description: "Store the key in a file"
    }
  ],
  flags: {
    name: Argument.String("name").pipe(Argument.withDescription("Purpose of the key")),
    member: optionalFlag("member", "Member who owns the key; the key sees that member's clients", "<member id>"),
    client: optionalFlag("client", "Instead of --member: client that the key is for, and sees alone", "<client id>"),
    access: Flag.Literals("access", ["read_only", "read_write"]).pipe(
      Flag.withDescription("read_write allows operations that write"),
      Flag.withDefault("read_only")
    ),
    expires,
    manage,
    ...rightsFlags
  },
  schema: NewApiKey,
  fields: Effect.fnUntraced(function*({ access, client, expires, manage, member, name, ...rights }) {
    if (Option.isSome(client) === Option.isSome(member)) {
      return yield* usageError("Pass either --member or --client")
    }
    return {
      name,
      access,
      member_id: member,
      client_id: client,
      expires_at: (yield* readExpiry(expires))?.toISOString(),
      manage,
      ...yield* rightsOf(rights)
    }
  }),
  send: (api, request) => api.keys.create(request),
  secret: ({ key }) => [key, "The key is shown only once."]
})

const list = keys.list({
  fetch: (api, request) => api.keys.list(request),
  rows: (page) => page.keys,
  emptyMessage: "No API keys; `oa key create` creates one."
})

const change = keys.change({
  description: "Change an API key's name, expiry, limits or rights to manage; it applies within a second",
  examples: [
    { command: "oa key change key_… --expires '90 days'" },
    { command: "oa key change key_… --manage connect_links", description: "Replace what the key manages" },
    {
      command: "oa key change key_… --writes ask --undo --calls-per-day 500",
      description: "Ask a person before each change, and limit the calls"
    }
  ],
  flags: {
    name: optionalFlag("name", "New name"),
    expires,
    neverExpires: switchFlag("never-expires", "Remove the expiry"),
    manage,
    manageNothing: switchFlag("manage-nothing", "Take away all rights to manage"),
    ...rightsFlags,
    ...unlimitedFlags
  },
  schema: KeyChange,
  names: `--name, --expires, --never-expires, --manage, --manage-nothing, ${rightsFlagNames}`,
  fields: Effect.fnUntraced(function*({ expires, manage, manageNothing, name, neverExpires, ...rights }) {
    const expiry = (yield* readExpiry(expires))?.toISOString()
    return {
      name,
      expires_at: yield* valueOr(neverExpires, null, expiry, "--expires or --never-expires"),
      manage: yield* valueOr(manageNothing, [], manage, "--manage or --manage-nothing"),
      ...yield* rightsOf(rights)
    }
  }),
  send: (api, request) => api.keys.change(request)
})

const revoke = keys.act(
  "revoke",
  "Revoke an API key; it stops working immediately",
  (api, request) => api.keys.revoke(request)
)

export const key = resourceCommands("key", "API keys: the credentials of callers", [create, list, change, revoke])
