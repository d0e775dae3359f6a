/** What teams import to replace a service or to add a provider or a feature. `openaccounts/client` is the client. */
export { ManagerRequired } from "./Api/Authentication.ts"
export { served } from "./Api/Group.ts"
export type { CallStep } from "./Calls/Steps.ts"
export { type Infrastructure, type Services } from "./Core.ts"
export { type Feature, FeatureCall, FeatureSend } from "./Features/Feature.ts"
export { features } from "./Features/Features.ts"
export { without } from "./Features/FeaturesOff.ts"
export { configuredOrigins, liveOrigins, type Registration, registrations, sandboxOrigins } from "./Registrations.ts"
export { makeServer, type ServerOptions } from "./Server.ts"

export { Auth } from "./Auth/Auth.ts"
export { Cache } from "./Calls/Cache/Cache.ts"
export { CallLog, LogUnavailable } from "./Calls/Log/CallLog.ts"
export { statsOf } from "./Calls/Log/Stats/MemoryStats.ts"
export { toLoggedCall } from "./Calls/Log/ToLoggedCall.ts"
export { ConnectionHealth } from "./Connections/ConnectionHealth.ts"
export { ConnectionRepo, type ConnectionStore } from "./Connections/ConnectionRepo.ts"
export { ConnectionTokens, type StoredCredentials } from "./Connections/ConnectionTokens.ts"
export { type Credentials, parseStoredCredentials } from "./Connections/Credentials.ts"
export type { RefreshLease } from "./Connections/Storage/RefreshLease.ts"
export { governed } from "./Features/Quotas/Governed.ts"
export { Quotas } from "./Features/Quotas/Quotas.ts"
export { classifyResponse, Unauthorized } from "./Providers/ClassifyResponse.ts"
export { type Access, ProviderClient, type ProviderRequest } from "./Providers/ProviderClient.ts"
export type { Quota, QuotaAccount } from "./Providers/Quota.ts"
export { type Caller as QuotaCaller, serviceCaller } from "./Providers/Sending/Caller.ts"
export { type Permit } from "./Providers/Sending/Permit.ts"
export { endpointUrl, upstreamUrl } from "./Providers/UpstreamUrl.ts"
export { DecryptionFailed, Encrypted, Vault } from "./Secrets/Vault.ts"

export type { IdentityProvider } from "./Providers/IdentityProvider.ts"
export { type Origin, Origins } from "./Providers/Origins.ts"
export {
  endpoint,
  type Provider,
  type ProviderCalls,
  type RawEndpoint,
  type RawInput,
  type SmartTool,
  tool,
  type Verdict
} from "./Providers/Provider.ts"
export { bearer, header, queryParameter, type RequestAuthentication } from "./Providers/RequestAuthentication.ts"
export {
  type CreatedFile,
  entriesIn,
  type ListedResources,
  type NamedByTool,
  type NamedResources,
  type Resources,
  type ToolResources
} from "./Providers/Resources.ts"

export * from "./Api/Errors.ts"
export * from "./Api/Errors/ProviderErrors.ts"
export * from "./Api/Errors/RequestErrors.ts"
export * from "./Api/Errors/WriteErrors.ts"
export type { CacheKey } from "./Calls/Cache/CacheKey.ts"
export { type Principal, seesCall, type Viewer } from "./Domain/Access/Principal.ts"
export {
  type CallEntry,
  type CallFilter,
  type LoggedCall,
  matchesFilter,
  type StoredCall
} from "./Domain/Calls/Call.ts"
export type { Stats, StatsBucket, StatsRequest } from "./Domain/Calls/Stats.ts"
export type { Connection, ConnectionFilter, NewConnection } from "./Domain/Connection.ts"
export { CallId, ClientId, ConnectionId, GrantId, KeyId, MemberId } from "./Domain/Ids.ts"
export { JsonText } from "./Domain/Json/JsonText.ts"
export { newId } from "./Domain/NewId.ts"
export type { Page, PageRequest } from "./Domain/Page.ts"
export { nothingToReEncrypt, type ReEncryptedPage, type ReEncryption } from "./Domain/ReEncryption.ts"
