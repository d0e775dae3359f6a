import type { ComponentType, ReactNode } from "react"
import type { CallRequest } from "../../Api/Calls/CallApi.ts"
import type { LoggedCallDetail } from "../../Api/Calls/LogsApi.ts"
import type { CallFilter } from "../../Domain/Calls/Call.ts"
import type { State } from "../Parts/Status.tsx"
import type { Area } from "./Areas.ts"

export interface Action extends Pick<Area, "path" | "title" | "admin"> {
  readonly kind?: "Page"
}

/** The data of a response. */
export interface AroundDataProps {
  readonly data: unknown
  /** Whether the session of the member has made the call. */
  readonly isOwn: boolean
  /** The request of a read that can be made again. */
  readonly read: CallRequest | undefined
  /** Shows the data, or a part of it. */
  readonly children: (data: unknown) => ReactNode
}

export interface AskAllProps {
  /** A read of the playground. Its connection does not matter. */
  readonly request: CallRequest
}

export interface CallHistogramProps {
  /** The filter of the list of calls below. */
  readonly filter: CallFilter
  readonly onChoose: (since: Date, until: Date) => void
}

/** A place on a page of the core where features add parts. */
export type PartPlace = "attention" | "overview" | "overviewActions" | "client" | "connection"

/** A call of the log. */
export interface AboutCallProps {
  readonly call: LoggedCallDetail
  readonly onSelect: (callId: string) => void
}

/** A path such as `/datasets/:id` gives its id to the page. */
export interface Route {
  readonly path: string
  readonly page: ComponentType<{ readonly id: string }>
}

/** What a feature adds to the dashboard. A service without the feature does not show it. */
export interface FeaturePages {
  readonly feature: string
  readonly areas?: ReadonlyArray<Area>
  /** Tabs of the settings, for admins or for every member. */
  readonly tabs?: ReadonlyArray<{
    readonly id: string
    readonly title: string
    readonly forMembers?: true
    readonly page: ComponentType
  }>
  /** Further actions of the palette. */
  readonly actions?: ReadonlyArray<Action>
  /** Wraps the data of each response that a member sees. */
  readonly aroundData?: ComponentType<AroundDataProps>
  /** Replaces the response in the playground: asks the accounts of all clients. */
  readonly askAll?: ComponentType<AskAllProps>
  /** Above the logs: the calls of the filter over time. */
  readonly callHistogram?: ComponentType<CallHistogramProps>
  /** How the logs show calls that were refused with these codes without having failed. */
  readonly refusals?: Readonly<Record<string, readonly [State, string]>>
  /** Above a call of the log. */
  readonly aboutCall?: ComponentType<AboutCallProps>
  readonly routes?: ReadonlyArray<Route>
  /** The id is that of the client or connection whose page it is. */
  readonly parts?: ReadonlyArray<{ readonly place: PartPlace; readonly part: ComponentType<{ readonly id: string }> }>
}
