import { memoize } from "effect/Function"
import type { StoredConnection } from "../Connection.ts"
import type { ConnectionId, GrantId, KeyId } from "../Ids.ts"
import { holderOf, type Principal } from "./Principal.ts"
import { createdWord, type Resource, type Resources } from "./Resource.ts"

/** The resources that a connection, key or grant allows. */
export interface Bound {
  readonly holder: BoundHolder
  readonly resources: ReadonlySet<Resource>
  /** Equal for equal bounds. */
  readonly text: string
}

export type BoundHolder = ConnectionId | KeyId | GrantId

/** A call may use what all of them allow. */
export type Bounds = ReadonlyArray<Bound>

/** `undefined` where nothing limits the resources. */
export const boundsOf = (principal: Principal, connection: StoredConnection): Bounds | undefined => {
  const { parent_resources, resources } = connection
  if (principal.resources === null && resources === null && parent_resources === null) return undefined
  const holder = holderOf(principal)
  return [...boundsOfConnection(connection), ...holder === null ? [] : boundsOfHolder(holder, principal.resources)]
}

/** The connection's bounds together with those of its parent. */
export const boundsOfConnection = ({ id, parent_id, parent_resources, resources }: StoredConnection): Bounds => [
  ...boundsOfHolder(id, resources),
  ...parent_id === null ? [] : boundsOfHolder(parent_id, parent_resources)
]

export const boundsOfHolder = (holder: BoundHolder, resources: Resources): Bounds =>
  resources === null ? [] : [{ holder, ...compile(resources) }]

const compile = memoize((list: ReadonlyArray<Resource>): Omit<Bound, "holder"> => {
  const resources = new Set(list)
  return { resources, text: JSON.stringify([...resources].toSorted()) }
})

/** Equal for bounds that allow the same. The files that a holder has created are its own. */
export const textOfBounds = (bounds: Bounds): string =>
  bounds.map(({ holder, text }) => text.includes(`:${createdWord}"`) ? `${holder} ${text}` : text).join("\n")
