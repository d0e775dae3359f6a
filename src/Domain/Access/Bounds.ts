import type { StoredConnection } from "../Connection.ts"
import type { ConnectionId, GrantId, KeyId } from "../Ids.ts"
import type { Principal } from "./Principal.ts"
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
  return [...boundsOfConnection(connection), ...ofPrincipal(principal)]
}

/** The connection's bounds together with those of its parent. */
export const boundsOfConnection = ({ id, parent_id, parent_resources, resources }: StoredConnection): Bounds => [
  ...boundsOfHolder(id, resources),
  ...parent_id === null ? [] : boundsOfHolder(parent_id, parent_resources)
]

const ofPrincipal = (principal: Principal): Bounds => {
  switch (principal.via) {
    case "key":
      return boundsOfHolder(principal.keyId, principal.resources)
    case "grant":
      return boundsOfHolder(principal.grantId, principal.resources)
    case "session":
      return []
  }
}

export const boundsOfHolder = (holder: BoundHolder, resources: Resources): Bounds =>
  resources === null ? [] : [{ holder, ...compile(resources) }]

const compiled = new WeakMap<ReadonlyArray<Resource>, Omit<Bound, "holder">>()

const compile = (resources: ReadonlyArray<Resource>): Omit<Bound, "holder"> => {
  const known = compiled.get(resources)
  if (known !== undefined) return known
  const set = new Set(resources)
  const made = { resources: set, text: JSON.stringify([...set].toSorted()) }
  compiled.set(resources, made)
  return made
}

/** Equal for bounds that allow the same. The files that a holder has created are its own. */
export const textOfBounds = (bounds: Bounds): string =>
  bounds.map(({ holder, text }) => text.includes(`:${createdWord}"`) ? `${holder} ${text}` : text).join("\n")
