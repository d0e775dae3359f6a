import { Schema } from "effect"

/** The part after the prefix: a UUIDv7 in 26 lower-case Crockford base-32 characters, as in TypeID. */
const suffix = "[0-7][0-9a-hjkmnp-tv-z]{25}"

const id = <const Prefix extends string, const Brand extends string>(prefix: Prefix, brand: Brand, of: string) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^${prefix}_${suffix}$`), { message: `Expected an id of the form ${prefix}_<id>` })
  ).annotate({
    description: `Id of ${of}, of the form \`${prefix}_<id>\`; ids sort by creation time.`
  }).pipe(Schema.brand(brand))

export const CallId = id("call", "CallId", "a logged call")
export type CallId = typeof CallId.Type

export const ClientId = id("cli", "ClientId", "a client")
export type ClientId = typeof ClientId.Type

export const MemberId = id("mem", "MemberId", "a member")
export type MemberId = typeof MemberId.Type

export const KeyId = id("key", "KeyId", "an API key")
export type KeyId = typeof KeyId.Type

export const ConnectionId = id("con", "ConnectionId", "a connection")
export type ConnectionId = typeof ConnectionId.Type
