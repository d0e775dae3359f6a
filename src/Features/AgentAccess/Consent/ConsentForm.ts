import { Option, Result } from "effect"
import type { AccessLevel } from "../../../Domain/Access/Principal.ts"
import type { Rights } from "../../../Domain/Access/Rights.ts"

export interface Choices {
  readonly access: AccessLevel
  readonly writes: Rights["writes"]
  readonly which: "all" | "chosen"
  readonly connectionIds: ReadonlySet<string>
  readonly reach: "all" | "chosen"
  readonly resources: ReadonlySet<string>
  readonly endedGrantIds: ReadonlySet<string>
}

export type Decision =
  | { readonly type: "cancel" }
  | {
    readonly type: "allow"
    readonly access: AccessLevel
    readonly writes: Rights["writes"]
    readonly connectionIds: ReadonlyArray<string> | null
    readonly resources: ReadonlyArray<string> | null
    readonly endedGrantIds: ReadonlyArray<string>
  }

const buttons = ["allow", "cancel", "tick_all", "untick_all", "list"] as const

export interface Submitted {
  readonly button: typeof buttons[number]
  readonly memberId: string
  readonly choices: Choices
}

export const parseSubmitted = (body: string): Option.Option<Submitted> => {
  const fields = new URLSearchParams(body)
  const button = buttons.find((name) => name === fields.get("button"))
  if (button === undefined) return Option.none()
  return Option.some({
    button,
    memberId: fields.get("member") ?? "",
    choices: {
      access: fields.get("access") === "read_write" ? "read_write" : "read_only",
      writes: fields.get("writes") === "ask" ? "ask" : "allow",
      which: fields.get("which") === "all" ? "all" : "chosen",
      connectionIds: new Set(fields.getAll("connection")),
      reach: button === "list" || fields.get("reach") === "chosen" ? "chosen" : "all",
      resources: new Set(fields.getAll("resource")),
      endedGrantIds: new Set(fields.getAll("end"))
    }
  })
}

export const maxConnections = 1000
const maxResources = 1000

/** Fails with a sentence that tells the member what to correct. */
export const decisionOf = ({ button, choices }: Submitted): Result.Result<Decision, string> => {
  const { access, connectionIds, endedGrantIds, reach, resources, which, writes } = choices
  const allow = (connectionIds: ReadonlyArray<string> | null) =>
    Result.succeed<Decision>({
      type: "allow",
      access,
      writes,
      connectionIds,
      resources: reach === "all" ? null : [...resources],
      endedGrantIds: [...endedGrantIds]
    })
  if (button === "cancel") return Result.succeed({ type: "cancel" })
  if (reach === "chosen" && resources.size === 0) {
    return Result.fail("Tick at least one site, property or file, or choose everything.")
  }
  if (reach === "chosen" && resources.size > maxResources) {
    return Result.fail(`Tick at most ${maxResources} sites, properties and files, or choose everything.`)
  }
  if (which === "all") return allow(null)
  if (connectionIds.size === 0) return Result.fail("Tick at least one connection, or choose all of them.")
  if (connectionIds.size > maxConnections) {
    return Result.fail(`Tick at most ${maxConnections} connections, or choose all of them.`)
  }
  return allow([...connectionIds])
}
