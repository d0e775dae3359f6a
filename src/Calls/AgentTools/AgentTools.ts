import { Context, Effect, Layer, type Schema } from "effect"
import type { AnyApiError } from "../../Api/ApiError.ts"
import type { ApiError, CallError } from "../../Api/Errors.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import type { CallId } from "../../Domain/Ids.ts"
import type { JsonSchema } from "../../Providers/Catalog/JsonSchema.ts"
import type { Provider } from "../../Providers/Provider.ts"
import type { Door, Origin } from "../Request/IncomingCall.ts"

/** The description of a tool for agents. */
export interface ToolText {
  readonly title: string
  readonly description: string
  readonly properties: JsonSchema
  readonly required?: ReadonlyArray<string>
  readonly writes?: boolean
  readonly destructive?: boolean
  /** `false` if the tool reaches nothing outside of the service. */
  readonly openWorld?: boolean
}

/** The agent that lists the tools. */
export interface ToolReader {
  readonly principal: Principal
  /** Providers with a connection that the principal sees, or all if there is none. */
  readonly providers: ReadonlyArray<Provider>
  /** Providers without an active connection that the principal sees. */
  readonly unconnected: ReadonlyArray<Provider>
}

export interface ToolCaller {
  readonly principal: Principal
  readonly unconnected: Effect.Effect<ReadonlyArray<Provider>>
  /** The longest result in characters. A longer one is cut. */
  readonly longest: number
  /** The arguments with every digit of their numbers. */
  readonly exactArgs: () => Readonly<Record<string, unknown>> | undefined
  /** Makes a call as the agent. `exact` is the request with every digit of its numbers. */
  readonly call: (
    request: Readonly<Record<string, unknown>>,
    options: { readonly origin?: Origin; readonly refuse?: Door["refuse"]; readonly exact?: () => unknown }
  ) => Effect.Effect<ToolOutput, CallError>
}

export interface ToolOutput {
  readonly json: string
  /** Tells the agent how to get a shorter result, if this one is cut. */
  readonly askForLess: string
  readonly isError?: boolean
  readonly meta?: Readonly<Record<string, Schema.Json>>
  readonly replayOf?: CallId
}

/** A page on which a person decides about a call that was refused until then. */
export interface Question {
  readonly id: string
  readonly url: string
  /** Shown to the agent. */
  readonly message: string
  /** Waits for the decision, for at most `seconds`. */
  readonly wait: (
    principal: Principal,
    seconds: number
  ) => Effect.Effect<{ readonly askedAt: Date; readonly isDecided: boolean }, AnyApiError>
}

export interface AgentTool {
  readonly name: string
  /** The position in the list of tools, lowest first. */
  readonly place: number
  /** `undefined` leaves it out of the list. */
  readonly describe: (reader: ToolReader) => ToolText | undefined
  /** Whether it makes a call, which counts for the rate limit by itself. */
  readonly isCall?: boolean
  readonly run: (args: Readonly<Record<string, unknown>>, caller: ToolCaller) => Effect.Effect<ToolOutput, AnyApiError>
  /** The question to a person that the error of a call stands for. */
  readonly question?: (error: ApiError) => Question | undefined
}

/** The tools of agents, besides the operations of providers. */
export class AgentTools extends Context.Service<AgentTools, {
  readonly add: (tool: AgentTool) => Effect.Effect<void>
  readonly find: (name: string) => AgentTool | undefined
  /** The tools in the order of their places. */
  readonly all: () => ReadonlyArray<AgentTool>
}>()("openaccounts/Calls/AgentTools/AgentTools") {
  static readonly layer = Layer.sync(AgentTools, () => {
    let tools: ReadonlyArray<AgentTool> = []
    return AgentTools.of({
      add: (tool) =>
        Effect.sync(() => {
          tools = [...tools, tool].toSorted((a, b) => a.place - b.place)
        }),
      find: (name) => tools.find((tool) => tool.name === name),
      all: () => tools
    })
  })
}

/** Adds a tool at the start. */
export const agentTool = <R>(tool: Effect.Effect<AgentTool, never, R>) =>
  Layer.effectDiscard(Effect.flatMap(AgentTools, ({ add }) => Effect.flatMap(tool, add)))
