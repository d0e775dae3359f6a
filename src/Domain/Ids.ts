import { Schema } from "effect"

/** UUIDv7 in Crockford base 32 (https://github.com/jetify-com/typeid). */
const suffix = "[0-7][0-9a-hjkmnp-tv-z]{25}"

const id = (prefix: string, of: string) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^${prefix}_${suffix}$`, "u"), { message: `Expected an id of the form ${prefix}_<id>` })
  ).annotate({
    description: `Id of ${of}, of the form \`${prefix}_<id>\`; ids sort by creation time.`
  })

export const CallId = id("call", "a logged call").pipe(Schema.brand("CallId"))
export type CallId = typeof CallId.Type

export const ClientId = id("cli", "a client").pipe(Schema.brand("ClientId"))
export type ClientId = typeof ClientId.Type

export const MemberId = id("mem", "a member").pipe(Schema.brand("MemberId"))
export type MemberId = typeof MemberId.Type

export const KeyId = id("key", "an API key").pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

export const SessionId = id("ses", "a session").pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

export const PasskeyId = id("pas", "a passkey").pipe(Schema.brand("PasskeyId"))
export type PasskeyId = typeof PasskeyId.Type

export const GrantId = id("gra", "an agent grant").pipe(Schema.brand("GrantId"))
export type GrantId = typeof GrantId.Type

export const HolderId = Schema.Union([KeyId, GrantId, SessionId])
export type HolderId = typeof HolderId.Type

export const ConnectionId = id("con", "a connection").pipe(Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type

export const ConnectLinkId = id("lnk", "a connect link").pipe(Schema.brand("ConnectLinkId"))
export type ConnectLinkId = typeof ConnectLinkId.Type

export const ResultId = id("res", "a kept result").pipe(Schema.brand("ResultId"))
export type ResultId = typeof ResultId.Type

export const BulkCallId = id("blk", "a bulk call").pipe(Schema.brand("BulkCallId"))
export type BulkCallId = typeof BulkCallId.Type

export const DatasetId = id("dst", "a dataset").pipe(Schema.brand("DatasetId"))
export type DatasetId = typeof DatasetId.Type

export const RevocationId = id("rev", "a mass revocation").pipe(Schema.brand("RevocationId"))
export type RevocationId = typeof RevocationId.Type

export const AuditEntryId = id("aud", "an entry of the audit").pipe(Schema.brand("AuditEntryId"))
export type AuditEntryId = typeof AuditEntryId.Type

export const WebhookId = id("whk", "a webhook").pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

export const ApprovalId = id("apr", "an approval").pipe(Schema.brand("ApprovalId"))
export type ApprovalId = typeof ApprovalId.Type

export const MailDeliveryId = id("mdl", "a mail").pipe(Schema.brand("MailDeliveryId"))
export type MailDeliveryId = typeof MailDeliveryId.Type

export const EventId = id("evt", "an event").pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type
