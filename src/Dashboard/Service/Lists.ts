import { Effect } from "effect"
import type { KeyChange, NewApiKey } from "../../Domain/Access/ApiKey.ts"
import type { GrantChange } from "../../Domain/Access/Grant.ts"
import type { NewClient } from "../../Domain/Client.ts"
import type { ConnectionChange, CreateConnection, NewCredentials } from "../../Domain/Connection.ts"
import type { NewConnectLink } from "../../Domain/ConnectLink.ts"
import type { NewMember } from "../../Domain/Member.ts"
import { resource, useServiceQuery } from "./Queries.ts"
import { featuresOff, hasConnectLinks } from "./ServedPage.ts"

export type Of<Change> = Change & { readonly id: string }

export const {
  useChange: useChangeClient,
  useCreate: useCreateClient,
  useDelete: useDeleteClient,
  useList: useClients
} = resource("clients", ({ clients }, query) => clients.list({ query }), {}, (change) => ({
  useCreate: change(({ clients }, payload: NewClient) => clients.create({ payload })),
  useChange: change(({ clients }, { id, ...payload }: Of<NewClient>) => clients.change({ params: { id }, payload })),
  useDelete: change(
    ({ clients }, { id, revoke }: Of<{ readonly revoke: boolean }>) =>
      clients.delete({ params: { id }, query: revoke ? { revoke: "true" } : {} }),
    ["connections", "connect_links", "keys", "members"]
  )
}))

export const {
  useChange: useChangeConnection,
  useCreate: useCreateConnection,
  useList: useConnections,
  useReconnect,
  useRevoke: useRevokeConnection,
  useTest: useTestConnection
} = resource(
  "connections",
  ({ managedConnections }, query) => managedConnections.list({ query }),
  { live: true },
  (change) => ({
    useCreate: change(({ managedConnections }, payload: CreateConnection) => managedConnections.create({ payload })),
    useChange: change(
      ({ managedConnections }, { id, ...payload }: Of<ConnectionChange>) =>
        managedConnections.change({ params: { id }, payload }),
      ["connect_links", "resources"]
    ),
    useReconnect: change(({ managedConnections }, { id, ...payload }: Of<NewCredentials>) =>
      managedConnections.reconnect({ params: { id }, payload })
    ),
    useRevoke: change(({ managedConnections }, id: string) => managedConnections.revoke({ params: { id } })),
    useTest: change(({ managedConnections }, id: string) => managedConnections.test({ params: { id } }))
  })
)

export const { useCreate: useCreateLink, useEnd: useEndLink, useList: useConnectLinks } = resource(
  "connect_links",
  ({ connectLinks }, query) => connectLinks.list({ query }),
  { live: true, served: hasConnectLinks },
  (change) => ({
    useCreate: change(({ connectLinks }, payload: NewConnectLink) => connectLinks.create({ payload })),
    useEnd: change(({ connectLinks }, id: string) => connectLinks.end({ params: { id } }))
  })
)

export const {
  useChange: useChangeKey,
  useCreate: useCreateKey,
  useList: useKeys,
  useRevoke: useRevokeKey
} = resource("keys", ({ keys }, query) => keys.list({ query }), {}, (change) => ({
  useCreate: change(({ keys }, payload: NewApiKey) => keys.create({ payload })),
  useChange: change(({ keys }, { id, ...payload }: Of<KeyChange>) => keys.change({ params: { id }, payload })),
  useRevoke: change(({ keys }, id: string) => keys.revoke({ params: { id } }))
}))

const noGrants = Effect.succeed({ grants: [], cursor: null })

export const { useChange: useChangeGrant, useList: useGrants, useRevoke: useRevokeGrant } = resource(
  "grants",
  // Where no agents are served, pages that name them need an empty list.
  ({ grants }, query) => featuresOff.includes("agent_access") ? noGrants : grants.list({ query }),
  { live: true },
  (change) => ({
    useChange: change(({ grants }, { id, ...payload }: Of<GrantChange>) => grants.change({ params: { id }, payload })),
    useRevoke: change(({ grants }, id: string) => grants.revoke({ params: { id } }))
  })
)

export const {
  useChange: useChangeMember,
  useCreate: useCreateMember,
  useDelete: useDeleteMember,
  useList: useMembers
} = resource("members", ({ members }, query) => members.list({ query }), {}, (change) => ({
  useCreate: change(({ members }, payload: NewMember) => members.create({ payload })),
  useChange: change(
    ({ members }, { id, ...payload }: Of<NewMember>) => members.change({ params: { id }, payload }),
    ["session"]
  ),
  useDelete: change(({ members }, id: string) => members.delete({ params: { id } }), ["keys"])
}))

export const { useList: useWebhooks } = resource(
  "webhooks",
  ({ webhooks }, query) => webhooks.list({ query }),
  { live: true, served: !featuresOff.includes("webhooks") },
  () => ({})
)

/** The API has neutral names. People know the products. */
export const productNames: Readonly<Record<string, string>> = {
  gsc: "Google Search Console",
  ga4: "Google Analytics",
  sitesearch: "Bing Webmaster Tools",
  gsheets: "Google Sheets",
  gdocs: "Google Docs"
}

export const useProviders = () =>
  useServiceQuery(["providers"], ({ providers }) =>
    Effect.map(
      providers.list(),
      ({ providers }) =>
        providers.map((provider) => ({ ...provider, name: productNames[provider.id] ?? provider.name }))
    ))

export const useSignInMethods = () =>
  useServiceQuery(["sign-in methods"], ({ signIn }) => Effect.map(signIn.methods(), ({ methods }) => methods))
