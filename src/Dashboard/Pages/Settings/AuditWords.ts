import type { AuditAction, AuditEntry } from "../../../Domain/Audit.ts"

/** What follows the name of who did it, and comes before the name of the subject. */
const words: Readonly<Partial<Record<AuditAction, string>>> = {
  "client.created": "added the client",
  "client.changed": "changed the client",
  "client.deleted": "deleted the client",
  "member.created": "added the member",
  "member.changed": "changed the member",
  "member.deleted": "deleted the member",
  "member.link_created": "made a sign-in link for",
  "member.link_used": "used the sign-in link of",
  "member.link_refused": "was refused with a sign-in link of",
  "member.password_set": "set the password of",
  "member.oidc_bound": "added the organization's account of",
  "member.oidc_unbound": "removed the organization's account of",
  "member.sign_in_refused": "was refused to sign in as",
  "passkey.added": "added a passkey",
  "passkey.removed": "removed a passkey",
  "session.started": "signed in",
  "session.ended": "ended a session",
  "key.created": "made the key",
  "key.changed": "changed the key",
  "key.revoked": "revoked the key",
  "grant.created": "let in the agent",
  "grant.changed": "changed the agent",
  "grant.revoked": "revoked the agent",
  "connection.created": "connected",
  "connection.changed": "changed the connection",
  "connection.credentials_replaced": "reconnected",
  "connection.expired": "found the access ended of",
  "connection.revoked": "revoked the connection",
  "connection.at_risk": "found at risk",
  "connection.recovered": "found well again",
  "connection.token_shared": "stored a token that another client has, with",
  "connection.tested": "tested",
  "webhook.created": "made the webhook",
  "webhook.changed": "changed the webhook",
  "webhook.secret_replaced": "replaced the secret of the webhook",
  "webhook.switched_off": "switched off the webhook",
  "webhook.deleted": "deleted the webhook",
  "link.created": "made a connect link for",
  "link.ended": "ended a connect link for",
  "link.used": "connected an account with a link for",
  "revocation.started": "revoked many connections",
  "approval.requested": "asked to approve a write",
  "approval.decided": "decided on a write",
  "admin_token.refused": "was refused with a wrong admin token"
}

const sentences = new Map<string, string>(Object.entries(words))

/** The service may be newer than this page, and have other actions. */
export const actionWords = (action: string): string => sentences.get(action) ?? action

const names = ["name", "label", "email", "agent_name", "url"]

/** The name that the entry itself has, which is that of the time. */
export const nameIn = ({ details }: AuditEntry): string | undefined => {
  for (const name of names) {
    const value = details[name]
    if (typeof value === "string") return value
    if (typeof value === "object" && value !== null && "to" in value && typeof value.to === "string") return value.to
  }
  return undefined
}
