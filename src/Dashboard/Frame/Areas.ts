import {
  Building2,
  FlaskConical,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Plug,
  ScrollText,
  Settings,
  Users
} from "lucide-react"
import type { ComponentType } from "react"
import { FailingConnection } from "./FailingConnection.tsx"

export interface Area {
  readonly path: string
  readonly title: string
  readonly icon: LucideIcon
  readonly admin?: boolean
  /** Shown after the title in the navigation. */
  readonly mark?: ComponentType
  /** The position in the navigation. Areas of the same ten form a group. */
  readonly place: number
}

export const areas: ReadonlyArray<Area> = [
  { path: "/", title: "Overview", icon: LayoutDashboard, place: 0 },
  { path: "/connections", title: "Connections", icon: Plug, mark: FailingConnection, place: 10 },
  { path: "/clients", title: "Clients", icon: Building2, place: 11 },
  { path: "/keys", title: "API keys", icon: KeyRound, place: 20 },
  { path: "/logs", title: "Logs", icon: ScrollText, place: 30 },
  { path: "/playground", title: "Playground", icon: FlaskConical, place: 31 },
  { path: "/members", title: "Members", icon: Users, admin: true, place: 40 },
  { path: "/settings", title: "Settings", icon: Settings, place: 49 }
]
