import type { ComponentType } from "react"
import type { IconName } from "../Parts/Icon.tsx"
import { FailingConnection } from "./FailingConnection.tsx"

export interface Area {
  readonly path: string
  readonly title: string
  readonly icon: IconName
  readonly admin?: boolean
  /** Shown after the title in the navigation. */
  readonly mark?: ComponentType
  /** The position in the navigation. Areas of the same ten form a group. */
  readonly place: number
}

export const areas: ReadonlyArray<Area> = [
  { path: "/", title: "Overview", icon: "overview", place: 0 },
  { path: "/connections", title: "Connections", icon: "connections", mark: FailingConnection, place: 10 },
  { path: "/clients", title: "Clients", icon: "clients", place: 11 },
  { path: "/keys", title: "API keys", icon: "keys", place: 20 },
  { path: "/logs", title: "Logs", icon: "logs", place: 30 },
  { path: "/playground", title: "Playground", icon: "playground", place: 31 },
  { path: "/members", title: "Members", icon: "members", admin: true, place: 40 },
  { path: "/settings", title: "Settings", icon: "settings", place: 49 }
]
