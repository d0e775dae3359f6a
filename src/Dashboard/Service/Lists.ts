import { Effect } from "effect"
import { allPages, useServiceQuery } from "./Queries.ts"

export const useClients = () =>
  useServiceQuery(
    ["clients"],
    ({ clients }) =>
      allPages((query) => Effect.map(clients.list({ query }), ({ clients, cursor }) => ({ items: clients, cursor })))
  )

export const useConnections = () =>
  useServiceQuery(
    ["connections"],
    ({ managedConnections }) =>
      allPages((query) =>
        Effect.map(managedConnections.list({ query }), ({ connections, cursor }) => ({ items: connections, cursor }))
      ),
    { live: true }
  )

export const useKeys = () =>
  useServiceQuery(
    ["keys"],
    ({ keys }) => allPages((query) => Effect.map(keys.list({ query }), ({ cursor, keys }) => ({ items: keys, cursor })))
  )

export const useMembers = (enabled: boolean) =>
  useServiceQuery(
    ["members"],
    ({ members }) =>
      allPages((query) => Effect.map(members.list({ query }), ({ cursor, members }) => ({ items: members, cursor }))),
    {
      enabled
    }
  )

export const useProviders = () =>
  useServiceQuery(["providers"], ({ providers }) => Effect.map(providers.list(), ({ providers }) => providers))

export const useSignInMethods = () =>
  useServiceQuery(["sign-in methods"], ({ signIn }) => Effect.map(signIn.methods(), ({ methods }) => methods))

export const useGrants = () =>
  useServiceQuery(
    ["grants"],
    ({ grants }) =>
      allPages((query) => Effect.map(grants.list({ query }), ({ cursor, grants }) => ({ items: grants, cursor }))),
    { live: true }
  )

export const useConnectLinks = () =>
  useServiceQuery(
    ["connect-links"],
    ({ connectLinks }) =>
      allPages((query) =>
        Effect.map(connectLinks.list({ query }), ({ connect_links, cursor }) => ({ items: connect_links, cursor }))
      ),
    { live: true }
  )

export const useWebhooks = (enabled: boolean) =>
  useServiceQuery(
    ["webhooks"],
    ({ webhooks }) =>
      allPages((query) =>
        Effect.map(webhooks.list({ query }), ({ cursor, webhooks }) => ({ items: webhooks, cursor }))
      ),
    { live: true, enabled }
  )
