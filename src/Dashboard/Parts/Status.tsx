import { Check, CircleDashed, TriangleAlert, X } from "lucide-react"
import type { ReactNode } from "react"
import type { Connection } from "../../Domain/Connection.ts"
import type { HealthCode } from "../../Domain/Health.ts"
import { Icon } from "./Icon.tsx"

const stateIcons = { ok: Check, attention: TriangleAlert, error: X, off: CircleDashed }
export type State = keyof typeof stateIcons

export const Status = ({ children, state }: { readonly state: State; readonly children?: ReactNode }) => (
  <span className={`status status-${state}`}>
    <Icon of={stateIcons[state]} />
    {children}
  </span>
)

/** The status that a table has a word for. */
export const StatusOf = ({ entry: [state, word] }: { readonly entry: readonly [State, string] }) => (
  <Status state={state}>{word}</Status>
)

const connectionWords = {
  active: ["ok", "Active"],
  expired: ["attention", "Token expired"],
  revoked: ["off", "Revoked"]
} as const

const failureTitles = {
  credentials_expired: "Access ended",
  credentials_rejected: "Credentials refused",
  upstream_unreachable: "Not reachable"
}

const failures: Readonly<Record<string, string>> = {
  credentials_expired: "ended this access",
  credentials_rejected: "refused the stored credentials",
  upstream_unreachable: "could not be reached"
}

/** What happened, as in "Google Search Console ended this access". */
export const accountFailure = (code: string, provider: string): string | undefined =>
  failures[code] && `${provider} ${failures[code]}`

/** What happened, before a time such as "13 minutes ago". */
export const failureWords = ({ last_error }: Connection, provider: string): string =>
  last_error === null ? provider : accountFailure(last_error.code, provider) ?? provider

export const riskTitles: Readonly<Record<HealthCode, string>> = {
  testing_mode: "Ends soon",
  unused: "Long unused",
  scopes_missing: "Access is missing",
  resource_lost: "Lost access",
  failing: "Calls fail"
}

export const ConnectionState = (
  { connection: { health, last_error, status } }: { readonly connection: Connection }
) => {
  if (status === "active" && last_error) return <Status state="error">{failureTitles[last_error.code]}</Status>
  const [reason] = health.reasons
  if (status === "active" && reason) return <Status state="attention">{riskTitles[reason.code]}</Status>
  return <StatusOf entry={connectionWords[status]} />
}

/** Calls fail, or will fail, until a person acts. */
export const needsAttention = ({ health, status }: Connection): boolean => status !== "revoked" && health.state !== "ok"
