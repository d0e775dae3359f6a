import type { Target } from "./Target.ts"

const texts = () => import("./targets/Texts.ts")
const redactions = () => import("./targets/Redactions.ts")

/** Each is loaded alone, because Jazzer instruments all that is loaded. */
export const targets: Readonly<Record<string, () => Promise<Target>>> = {
  ranges: async () => (await import("./targets/Ranges.ts")).ranges,
  markdown: async () => (await import("./targets/Documents.ts")).markdown,
  selections: async () => (await import("./targets/Selections.ts")).selections,
  messages: async () => (await import("./targets/Messages.ts")).messages,
  redaction: async () => (await redactions()).redaction,
  echoes: async () => (await redactions()).echoes,
  addresses: async () => (await import("./targets/Addresses.ts")).addresses,
  backups: async () => (await import("./targets/Backups.ts")).backups,
  signIns: async () => (await import("./targets/SignIns.ts")).signIns,
  json: async () => (await texts()).json,
  tables: async () => (await texts()).tables
}
