import { Effect } from "effect"
import { useServiceList, useServiceQuery } from "./Queries.ts"
import { featuresOff, hasConnectLinks } from "./ServedPage.ts"

const live = { live: true }

export const useClients = () => useServiceList("clients", ({ clients }, query) => clients.list({ query }))

export const useConnections = () =>
  useServiceList("connections", ({ managedConnections }, query) => managedConnections.list({ query }), live)

export const useConnectLinks = () =>
  useServiceList("connect_links", ({ connectLinks }, query) => connectLinks.list({ query }), {
    live: true,
    enabled: hasConnectLinks
  })

export const useKeys = () => useServiceList("keys", ({ keys }, query) => keys.list({ query }))

const noGrants = Effect.succeed({ grants: [], cursor: null })

export const useGrants = () =>
  useServiceList(
    "grants",
    ({ grants }, query) => featuresOff.includes("agent_access") ? noGrants : grants.list({ query }),
    live
  )

export const useMembers = (enabled: boolean) =>
  useServiceList("members", ({ members }, query) => members.list({ query }), { enabled })

export const useWebhooks = (enabled: boolean) =>
  useServiceList("webhooks", ({ webhooks }, query) => webhooks.list({ query }), {
    live: true,
    enabled: enabled && !featuresOff.includes("webhooks")
  })

export const useProviders = () =>
  useServiceQuery(["providers"], ({ providers }) => Effect.map(providers.list(), ({ providers }) => providers))

export const useSignInMethods = () =>
  useServiceQuery(["sign-in methods"], ({ signIn }) => Effect.map(signIn.methods(), ({ methods }) => methods))
