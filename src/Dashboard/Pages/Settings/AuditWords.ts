import { type AuditEntry, auditWords } from "../../../Declared/Audit.ts"

const sentences = new Map<string, string>(Object.entries(auditWords))

/** The service may be newer than this page, and have other actions. */
export const actionWords = (action: string): string => sentences.get(action) ?? action

/** The sentence for a decision says which one it was. */
export const sentenceOf = ({ action, details: { status } }: AuditEntry): string =>
  action === "approval.decided" && typeof status === "string" ? `${status} the write` : actionWords(action)

const names = ["name", "label", "email", "agent_name", "url"]

/** The name in the entry itself. The subject may have another name now. */
export const nameIn = ({ details }: AuditEntry): string | undefined => {
  for (const name of names) {
    const value = details[name]
    if (typeof value === "string") return value
    if (typeof value === "object" && value !== null && "to" in value && typeof value.to === "string") return value.to
  }
  return undefined
}
