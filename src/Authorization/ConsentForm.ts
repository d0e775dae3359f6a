import { Option } from "effect"
import type { Access } from "../Domain/Principal.ts"

export interface Choices {
  readonly access: Access
  readonly which: "all" | "chosen"
  readonly connectionIds: ReadonlySet<string>
  readonly endedGrantIds: ReadonlySet<string>
}

export type Decision =
  | { readonly type: "cancel" }
  | {
    readonly type: "allow"
    readonly access: Access
    readonly connectionIds: ReadonlyArray<string> | null
    readonly endedGrantIds: ReadonlyArray<string>
  }

export interface Submitted {
  readonly button: "allow" | "cancel" | "tick_all" | "untick_all"
  readonly memberId: string
  readonly choices: Choices
}

const buttons = ["allow", "cancel", "tick_all", "untick_all"] as const

export const parseSubmitted = (body: string): Option.Option<Submitted> => {
  const fields = new URLSearchParams(body)
  const button = buttons.find((name) => name === fields.get("button"))
  if (button === undefined) return Option.none()
  return Option.some({
    button,
    memberId: fields.get("member") ?? "",
    choices: {
      access: fields.get("access") === "read_write" ? "read_write" : "read_only",
      which: fields.get("which") === "all" ? "all" : "chosen",
      connectionIds: new Set(fields.getAll("connection")),
      endedGrantIds: new Set(fields.getAll("end"))
    }
  })
}

export const maxConnections = 1000

/** A string is a sentence for the member about what to correct. */
export const decisionOf = ({ button, choices }: Submitted): Decision | string => {
  if (button === "cancel") return { type: "cancel" }
  const { access, connectionIds, endedGrantIds, which } = choices
  if (which === "all") return { type: "allow", access, connectionIds: null, endedGrantIds: [...endedGrantIds] }
  if (connectionIds.size === 0) return "Tick at least one connection, or choose all of them."
  if (connectionIds.size > maxConnections) return `Tick at most ${maxConnections} connections, or choose all of them.`
  return { type: "allow", access, connectionIds: [...connectionIds], endedGrantIds: [...endedGrantIds] }
}
